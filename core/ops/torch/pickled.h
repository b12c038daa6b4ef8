// How long the file is that torch.save writes: a zip archive of a pickle and of the storages, whole.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "ops/value.h"

namespace stridescope {

/// What torch.save's pickle of a value comes to. The storages are numbered as the pickle comes to them; those are the
/// names of their files.
struct Pickled {
  int64_t bytes = 0;
  std::vector<TensorPtr> storages;  ///< a tensor on each
};
/// Nothing of a value whose pickle is not reckoned here.  Source: pickle's protocol 2, torch._utils,
/// torch.serialization
std::optional<Pickled> pickled(const Value& value);

/// The bytes of the archive, where each file in it begins at a multiple of 64, and where the last byte is that reading
/// it comes to.  Source: caffe2/serialize/inline_container.cc
struct Archive {
  int64_t bytes = 0, read_to = 0;
};
/// @param name  what the files in it stand under  @return nothing where that is beyond int64_t, or needs a zip64
std::optional<Archive> archive_of(const Pickled& pickle, std::string_view name);

}  // namespace stridescope
