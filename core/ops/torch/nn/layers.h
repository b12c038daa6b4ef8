// What layers of torch.nn.functional share: elements reckoned as doubles, and the memory order that a layer keeps.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "ops/call.h"

namespace stridescope {

/// a * b * .., the largest number there is where that leaves int64_t.  @pre none is negative
int64_t times(std::initializer_list<int64_t> factors);

/// The elements row by row. Empty, and the call failed, where they are too many, complex, or not exact as doubles.
std::vector<double> doubles_of(Call& call, const Tensor& tensor);

/// A new tensor of those sizes, of whose elements (row by row) each is worth `reckon`, all of them in `work` steps.
/// Where that is too many, the call is refused, unless stand-ins for random values take part: then the elements are
/// stand-ins, too, which is said.  @pre `layout` is dense
Value reckoned(Call& call, DType dtype, const Layout& layout, int64_t work,
               const std::function<std::vector<double>()>& reckon);

/// The layout of a layer's result: channels last where the strides of the `image` suggest it, or those of the `weight`,
/// else contiguous; and why.  @post nothing where sizes and bytes leave int64_t, and the call failed
std::optional<Layout> layer_layout(Call& call, DType dtype, const Layout& image, const Dims& sizes,
                                   const Layout* weight = nullptr);

/// An image whose last dimensions become `spatial`, each element worth what `reckon` makes of the image's elements, at
/// most `cells` of them; contiguous whatever the image's order where that `packs`.
Value pooled(Call& call, const Tensor& image, const Dims& spatial, int64_t cells,
             const std::function<std::vector<double>(const std::vector<double>&)>& reckon, bool packs = false);

/// The places in an image of what is in `most`, as a tensor of int64 laid out as that; not known where there are none
/// of `where`, and without the hidden batch at dim `line` where that is not -1.
Value with_places(Call& call, const Value& most, const std::vector<double>& where, int line);

/// An image averaged in as many windows along its last one to three dimensions as are `wanted`; it has one or two more
/// dimensions.
Value adaptive_average(Call& call, Tensor image, Dims wanted);

/// The batch of one that PyTorch put in, dropped again: a view of `batched`, which nothing else can reach.
Value without_batch(Call& call, const Value& batched, int d = 0);

/// Whether the dtype is one of real floating point, or the call failed: in the library's words where that names a
/// kernel, as a limit of ours where it would go on.
bool check_floating(Call& call, DType dtype, const char* kernel);

/// A list of numbers or one for all of `dims`. Of another length it is nothing, and the call failed with `text`.
std::optional<Dims> spread(Call& call, const char* parameter, int dims, const Slots& text);

/// What the constructor of a recurrent network looks at and derives. False: the call failed.
bool settle_recurrent(Call& call, const Object& module);

/// A number as C++ prints it: without a point where it is whole. Nothing of more digits than that shows.
std::optional<std::string> streamed(double number);

/// What a function of torch.nn.functional is called, without its module.
std::string_view layer_name(const Call& call);

}  // namespace stridescope
