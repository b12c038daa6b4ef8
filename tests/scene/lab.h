// Traces built by hand: a tensor of any layout, valid in a library or not, as the result of a step.
#pragma once
#include <algorithm>

#include "layout/contiguity.h"
#include "layout/extent.h"
#include "layout/view.h"
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

/// A step that sees the tensor of trace_of(layout) under other sizes, or fails to with PyTorch's message.
inline Trace trace_of_view(const Layout& layout, const Dims& sizes, Library library = Library::torch) {
  Trace trace = trace_of(layout, library);
  Step& step = trace.steps[0];
  Applied& op = step.applied[0];
  const TensorPtr tensor = op.inputs[0];
  step.text = op.title = "y.view(-1)";
  op.attempt = std::make_shared<const ViewAttempt>(ViewAttempt{tensor, sizes, sizes});
  const Viewed viewed = view(layout, sizes);
  if (const Layout* seen = as_layout(viewed)) {
    auto result = std::make_shared<Tensor>(*tensor);
    result->object = 1;
    result->layout = *seen;
    auto object = std::make_shared<TensorObject>();
    object->id = 1;
    object->tensor = result;
    op.result.held = step.value.held = object;
    op.why.lines = {
        {Msg::plain_text,
         {"Each new dimension stays inside one stretch that one stride can walk, so no element has to move."}}};
  } else {
    op.result = step.value = {};
    op.relation = Relation::none;
    op.error = Diagnostic{
        .reason = {Msg::plain_text, {"One step in the new dimension would have to be the same distance everywhere."}},
        .raised = Diagnostic::Raised{"RuntimeError",
                                     "view size is not compatible with input tensor's size and stride (at least one "
                                     "dimension spans across two contiguous subspaces). Use .reshape(...) instead."}};
    step.error = op.error;
  }
  return trace;
}

/// The targets of what is lit up.
inline std::vector<std::string> lit(const Trace& trace, const Target& hover) {
  ViewState view;
  view.hover = hover;
  std::vector<std::string> targets;
  for (const Item& item : draw(trace, view).items)
    if (item.role == Role::cell_linked) targets.push_back(to_string(item.target));
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return targets;
}

}  // namespace stridescope::lab
