// NumPy's reshape: a view where the strides allow it, else a copy seen through a view.
#include "ops/layout_words.h"
#include "ops/numpy/numpy.h"
#include "ops/without_copy.h"

namespace stridescope {

std::optional<Dims> numpy_sizes(Call& call, const Tensor& array, const Dims& requested) {
  const int64_t count = count_of(array);
  const Resolved resolved = resolve_shape(requested, count);
  if (const Dims* sizes = std::get_if<Dims>(&resolved)) return *sizes;
  if (std::get<Unfitting>(resolved).kind == Unfitting::Kind::second_unknown)
    call.fail("ValueError", "can only specify one unknown dimension", Msg::np_two_unknown, {to_string(requested)});
  else {
    call.fail("ValueError", {"cannot reshape array of size ", count, " into shape ", requested_text(requested)},
              Msg::np_reshape_numel, {to_string(requested), count, to_string(array.layout.sizes)});
    offer_fitting_sizes(call, requested, count);
  }
  return std::nullopt;
}

Value numpy_reshape(Call& call, const Tensor& array, const Dims& requested, NumpyOrder wanted, bool may_copy) {
  if (wanted == NumpyOrder::keep)
    return call.about("order").fail("ValueError", "order 'K' is not permitted for reshaping", Msg::np_order_k_reshape);
  const auto sizes = requested == array.layout.sizes ? requested : numpy_sizes(call, array, requested);
  if (!sizes) return {};
  const Order order = resolved_order(array, wanted);
  call.attempt(array, requested, *sizes, order);
  owned_layout(call, *sizes, unit_of(array));
  if (call.failed()) return {};
  const Viewed viewed = reshape_without_copy(array.layout, *sizes, order, unit_of(array), requested == *sizes);
  if (const Layout* layout = as_layout(viewed)) {
    explain_view(call, array, *layout);
    if (requested == array.layout.sizes)
      call.why(Msg::np_reshape_same);
    else if (order == Order::c ? is_contiguous(array.layout, unit_of(array))
                               : is_f_contiguous(array.layout, unit_of(array)))
      call.why(Msg::np_reshape_packed, {order == Order::c ? "C" : "F"});
    else
      for (const Joint& joint : joints(array.layout))
        if (joint.welded() && order == Order::c && is_spanned(array.layout, joint, *sizes))
          call.why(Msg::np_weld,
                   {Slot{joint.outer, call.axis(array, joint.outer)}, Slot{joint.inner, call.axis(array, joint.inner)},
                    joint.stride, array.layout.sizes[joint.inner], array.layout.strides[joint.inner]});
    if (requested != array.layout.sizes && order == Order::c && count_of(array) > 0)
      explain_strides(call, array, *layout);
    return call.view(array, *layout);
  }
  const Joint& joint = as_crack(viewed)->joint;
  if (may_copy) call.why(Msg::np_reshape_copies, {count_of(array), nbytes(array)});
  call.why(Msg::np_crack,
           {Slot{joint.outer, call.axis(array, joint.outer)}, Slot{joint.inner, call.axis(array, joint.inner)},
            joint.stride, joint.needed, array.layout.sizes[joint.inner], array.layout.strides[joint.inner]});
  explain_shapes(call, array.layout, *sizes, order);
  if (!may_copy) {
    call.fail("ValueError", "Unable to avoid creating a copy while reshaping.", Msg::np_reshape_must_copy);
    call.hint(Msg::hint_np_let_copy, {nbytes(array)}, Fix{call.argument("copy"), "copy=None"});
    return {};
  }
  if (order == Order::c) explain_without_copy(call, array, *sizes);
  const Value copied =
      call.copy(array,
                {array.layout.sizes,
                 strides_like(array, order == Order::c ? NumpyOrder::c : NumpyOrder::fortran, unit_of(array)), 0},
                array.dtype);
  if (call.failed()) return {};
  const Layout packed = order == Order::c ? contiguous(*sizes, unit_of(array)) : fortran(*sizes, unit_of(array));
  const Value result = call.view(*tensor_of(copied), packed);
  call.relation(Relation::copy);
  return result;
}

std::vector<Tensor> raveled(Call& call, const std::vector<Tensor>& arrays) {
  std::vector<Tensor> flat;
  const size_t said = call.said();
  for (const Tensor& array : arrays) flat.push_back(made_or(numpy_reshape(call, array, {-1}, NumpyOrder::c), array));
  call.unsay(said);
  return flat;
}

}  // namespace stridescope
