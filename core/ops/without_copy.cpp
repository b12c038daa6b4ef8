#include "ops/without_copy.h"

#include "layout/access_path.h"
#include "layout/detour.h"
#include "layout/shapes.h"
#include "layout/view.h"
#include "ops/layout_words.h"

namespace stridescope {
namespace {

/// Shapes named in an explanation.
constexpr int max_named = 4;

/// The call that puts dimensions in another order.
std::string reordering(const Dims& dims, Library library) {
  Dims moved;
  for (int k = 0; k < dims.size(); ++k)
    if (dims[k] != k) moved.push_back(k);
  const bool exchange = moved.size() == 2;
  const bool torch = library == Library::torch;
  return (exchange ? (torch ? "transpose(" : "swapaxes(")
          : torch  ? "permute("
                   : "transpose(") +
         listed(exchange ? moved : dims) + ")";
}

/// An order of operations that gives the sizes without a copy: the call rewritten.
struct Rewriting {
  std::optional<Fix> fix;
  std::string code;
  Layout layout;
};

class Search {
 public:
  Search(const Call& call, const Tensor& tensor, const Dims& sizes) : call_(call), tensor_(tensor), sizes_(sizes) {}

  std::vector<Rewriting> rewritings() {
    for (const Detour& detour : detours(tensor_.layout, sizes_)) {
      std::string first = reordering(detour.before, tensor_.library), then = resized();
      if (is_identity(detour.before)) first = resized(detour.viewed), then = reordering(detour.after, tensor_.library);
      take(call_.parts().name.begin, first + "." + then, detour.layout);
    }
    seek_origins();
    return std::move(found_);
  }

 private:
  static bool is_identity(const Dims& dims) {
    for (int k = 0; k < dims.size(); ++k)
      if (dims[k] != k) return false;
    return true;
  }

  bool is_method() const { return call_.parts().list.end > call_.parts().list.begin; }

  /// This call as it was written where it names its sizes, else reshape with the sizes that came of it.
  std::string resized() const {
    const std::string_view name = call_.name();
    const bool names_sizes = name == "view" || name == "reshape" || name == "view_as" || name == "reshape_as";
    return names_sizes && is_method() ? call_.written({call_.parts().name.begin, call_.parts().list.end})
                                      : resized(sizes_);
  }
  std::string resized(const Dims& sizes) const {
    return (call_.name().starts_with("view") ? "view(" : "reshape(") + listed(sizes) + ")";
  }

  /// Everything from `begin` to the end of the call becomes `code`. Of rewritings that come to the same layout the one
  /// that leaves out more stays.
  void take(int32_t begin, const std::string& code, const Layout& layout) {
    // Of a function, what its first argument is would come first.
    const Span tensor = call_.first_argument();
    Rewriting rewriting{{}, call_.written(tensor) + "." + code, layout};
    if (is_method()) {
      const Span receiver{call_.parts().receiver.begin, begin};
      rewriting.fix = Fix{{begin, call_.parts().list.end}, code};
      rewriting.code = call_.written(receiver) + code;
    }
    for (Rewriting& other : found_)
      if (other.layout == layout) return void(other = std::move(rewriting));
    found_.push_back(std::move(rewriting));
  }

  /// Earlier tensors of a chain of calls: what came between them and this call left out, or done after it.
  void seek_origins() {
    Span receiver = call_.parts().receiver;
    int object = tensor_.object;
    const auto& before = call_.source().before;
    for (size_t k = before.size(); k-- > 0;) {
      const Applied& step = before[k];
      const TensorPtr made = tensor_of(step.result);
      // In brackets its parts are not all there is to leave out.
      const bool in_line =
          step.span == receiver && step.parts.receiver.begin == step.span.begin && step.parts.name.begin > 0;
      if (!in_line || !made || made->object != object || step.inputs.empty()) continue;
      receiver = step.parts.receiver;
      object = step.inputs[0]->object;
      const Tensor& origin = *step.inputs[0];
      if (origin.storage != tensor_.storage || origin.dtype != tensor_.dtype ||
          !same_cells(origin.layout, tensor_.layout))
        continue;
      if (const Viewed viewed = view(origin.layout, sizes_); as_layout(viewed))
        take(step.parts.name.begin, resized(), *as_layout(viewed));
      for (const Detour& detour : detours(origin.layout, sizes_))
        if (!is_identity(detour.after))
          take(step.parts.name.begin, resized(detour.viewed) + "." + reordering(detour.after, origin.library),
               detour.layout);
    }
  }

  const Call& call_;
  const Tensor& tensor_;
  const Dims& sizes_;
  std::vector<Rewriting> found_;
};

/// What is said of a rewriting: its code, and the first element that is another one.
Message described(const Rewriting& rewriting, const Tensor& tensor) {
  const int64_t element = first_difference(rewriting.layout, tensor.layout);
  return {tensor.library == Library::torch ? Msg::other_order_in_cells : Msg::other_order_in_bytes,
          {rewriting.code, element, AccessPath(rewriting.layout).offset(element),
           AccessPath(tensor.layout).offset(element)}};
}

/// The call with other sizes, where they are all that it was given.
std::optional<Fix> with_sizes(const Call& call, const Dims& sizes) {
  const Parts& parts = call.parts();
  const std::string name(call.name());
  if (call.form().kind == Form::Kind::setter) return Fix{parts.list, to_string(sizes)};
  const bool only_sizes = (name == "view" || name == "reshape") && parts.list.end > parts.list.begin &&
                          parts.receiver.end > parts.receiver.begin &&
                          call.written(parts.list).find('=') == std::string::npos;
  if (!only_sizes) return {};
  return Fix{{parts.name.begin, parts.list.end}, name + "(" + listed(sizes) + ")"};
}

}  // namespace

std::optional<Dims> explain_shapes(Call& call, const Layout& layout, const Dims& sizes, Order order) {
  const Shapes shapes(slowest_left(layout, order));
  const int64_t all = shapes.views() + shapes.copies();
  if (shapes.views() == 0) {
    call.why(Msg::no_shape_views, {all, max_shape_rank});
    return {};
  }
  const std::vector<Shape> nearest = shapes.nearest(slowest_left(sizes, order), Wanted::views, max_named);
  std::string named;
  named.reserve(64);
  for (const Shape& shape : nearest) {
    if (!named.empty()) named += ", ";
    append(named, slowest_left(shape.sizes, order));
  }
  call.why(Msg::shapes_that_view, {shapes.views(), all, max_shape_rank, named});
  // Its own shape is nothing to offer.
  for (const Shape& shape : nearest)
    if (const Dims one = slowest_left(shape.sizes, order); one != layout.sizes) return one;
  return std::nullopt;
}

void explain_without_copy(Call& call, const Tensor& tensor, const Dims& sizes) {
  for (const Rewriting& rewriting : Search(call, tensor, sizes).rewritings()) call.why(described(rewriting, tensor));
}

void offer_without_copy(Call& call, const Tensor& tensor, const Dims& sizes, const std::optional<Dims>& nearest) {
  for (Rewriting& rewriting : Search(call, tensor, sizes).rewritings())
    call.hint(described(rewriting, tensor), std::move(rewriting.fix));
  offer_shape(call, nearest);
}

void offer_fitting_sizes(Call& call, const Dims& requested, int64_t count) {
  for (int d = requested.size() - 1; d >= 0; --d) {
    std::optional<int64_t> others = 1;
    for (int k = 0; k < requested.size() && others; ++k)
      if (k != d) others = requested[k] > 0 ? checked_mul(*others, requested[k]) : std::nullopt;
    if (!others || count % *others != 0) continue;
    Dims sizes = requested;
    sizes[d] = count / *others;
    return call.hint(Msg::hint_sizes_fit, {to_string(sizes), count}, with_sizes(call, sizes));
  }
}

void offer_shape(Call& call, const std::optional<Dims>& sizes) {
  const Parts& parts = call.parts();
  if (!sizes || parts.list.end == parts.list.begin) return;
  const bool assigned = call.form().kind == Form::Kind::setter;
  const std::string text = assigned ? to_string(*sizes) : "view(" + listed(*sizes) + ")";
  const int32_t begin = assigned ? parts.list.begin : parts.name.begin;
  call.hint(Msg::hint_nearest_shape, {call.written({parts.receiver.begin, begin}) + text},
            Fix{{begin, parts.list.end}, text});
}

}  // namespace stridescope
