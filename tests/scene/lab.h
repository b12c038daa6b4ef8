// Traces built by hand: a tensor of any layout, valid in a library or not, as the result of a step.
#pragma once
#include "layout/contiguity.h"
#include "layout/extent.h"
#include "ops/contents.h"
#include "stridescope.h"

namespace stridescope::lab {

/// A one-step trace whose result is a tensor with this layout (in elements) over a storage of `cells` cells 0, 1, 2 ..
inline Trace trace_of(Layout layout, int64_t cells, Library library = Library::torch) {
  auto storage = std::make_shared<Storage>();
  storage->id = 0;
  storage->nbytes = cells * 8;
  storage->contents = integer_range(0, 1, DType::int64, cells);
  auto tensor = std::make_shared<Tensor>();
  tensor->library = library;
  tensor->storage = storage;
  tensor->object = 0;
  tensor->is_view = true;
  if (library == Library::numpy) {
    layout.storage_offset *= 8;
    for (int64_t& stride : layout.strides) stride *= 8;
  }
  tensor->layout = layout;
  auto object = std::make_shared<TensorObject>();
  object->id = 0;
  object->tensor = tensor;

  Trace trace;
  Step& step = trace.steps.emplace_back();
  step.text = "y = x.as_strided(sizes, strides)";
  step.targets = {"y"};
  step.names = {{"y", tensor}};
  step.contents = {{0, storage->contents}};
  step.value.held = object;
  Applied& op = step.applied.emplace_back();
  op.title = "x.as_strided(sizes, strides)";
  op.inputs = {tensor};
  op.result.held = object;
  op.relation = Relation::view;
  return trace;
}

/// The same with a storage that just holds the layout.
inline Trace trace_of(const Layout& layout, Library library = Library::torch) {
  const auto reach = extent(layout);
  return trace_of(layout, reach ? reach->highest + 1 : 1, library);
}

}  // namespace stridescope::lab
