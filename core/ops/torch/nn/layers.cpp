#include "ops/torch/nn/layers.h"

#include <algorithm>
#include <cmath>

#include "ops/fold.h"
#include "ops/number.h"
#include "ops/torch/torch.h"

namespace stridescope {

int64_t times(std::initializer_list<int64_t> factors) {
  std::optional<int64_t> product = 1;
  for (const int64_t factor : factors) product = checked_mul(product, factor);
  return product.value_or(INT64_MAX);
}

std::vector<double> doubles_of(Call& call, const Tensor& tensor) {
  const int64_t count = *numel(tensor.layout.sizes);
  const Elements elements = elements_of(tensor);
  std::vector<double> values;
  if (count > most_products) call.refuse(Msg::too_many_summed, {count, most_products});
  if (is_complex(tensor.dtype)) call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  if (call.failed() || !call.quick(elements, count)) return values;
  for (int64_t i = 0; i < count; ++i) {
    const Scalar one = element(elements, i);
    values.push_back(as_real(one));
    if (is_whole(tensor.dtype) && std::abs(values.back()) > 0x1p53) return call.refuse(Msg::beyond_int64), values;
  }
  return values;
}

Value reckoned(Call& call, DType dtype, const Layout& layout, int64_t work,
               const std::function<std::vector<double>()>& reckon) {
  if (call.failed()) return {};
  if (ContentsPtr some = call.unreckoned(dtype, *numel(layout.sizes), work))
    return call.fresh(dtype, layout, std::move(some));
  std::vector<Scalar> values;
  if (numel(layout.sizes) != 0)
    for (const double value : reckon()) values.push_back(real_scalar(value, dtype));
  if (call.failed()) return {};
  const Elements packed{literal_contents(values, dtype), contiguous(layout.sizes, itemsize(dtype)), dtype};
  const Value result = call.gathered(layout, dtype, [&](const Dims& order) {
    return gather({packed.contents, permute(packed.layout, order), dtype}, dtype);
  });
  call.relation(Relation::fresh);
  return result;
}

std::optional<Layout> layer_layout(Call& call, DType dtype, const Layout& image, const Dims& sizes,
                                   const Layout* weight) {
  const Layout packed = fresh_layout(call, sizes, dtype);
  if (call.failed()) return std::nullopt;
  const bool follows = suggests_channels_last(image), led = weight && suggests_channels_last(*weight);
  const bool four = sizes.size() == 4 || sizes.size() == 5;
  if (!four || (!follows && !led)) {
    if (!is_contiguous(image)) call.why(Msg::layer_packed, {to_string(packed.strides), to_string(image.strides)});
    return packed;
  }
  const Layout result = channels_last(sizes);
  if (!is_valid(result)) return call.refuse(Msg::beyond_int64), std::nullopt;
  call.why(follows ? Msg::layer_follows_input : Msg::layer_follows_weight,
           {to_string(result.strides), to_string((follows ? image : *weight).strides)});
  return result;
}

Value pooled(Call& call, const Tensor& image, const Dims& spatial, int64_t most_cells,
             const std::function<std::vector<double>(const std::vector<double>&)>& reckon, bool packs) {
  const int rank = image.layout.rank(), dims = spatial.size();
  Dims sizes = image.layout.sizes;
  for (int k = 0; k < dims; ++k) sizes[rank - dims + k] = spatial[k];
  const auto layout = packs ? std::optional(fresh_layout(call, sizes, image.dtype))
                            : layer_layout(call, image.dtype, image.layout, sizes);
  if (!layout || call.failed()) return {};
  if (packs && !is_contiguous(image.layout))
    call.why(Msg::layer_packed, {to_string(layout->strides), to_string(image.layout.strides)});
  return reckoned(call, image.dtype, *layout, times({*numel(sizes), std::max<int64_t>(most_cells, 1)}), [&] {
    const std::vector<double> x = doubles_of(call, image);
    return call.failed() ? std::vector<double>() : reckon(x);
  });
}

Value with_places(Call& call, const Value& most, const std::vector<double>& where, int line) {
  if (call.failed()) return {};
  const Layout like{tensor_of(most)->layout.sizes, tensor_of(most)->layout.strides, 0};
  const int64_t count = *numel(like.sizes);
  const Value places = where.empty() && count != 0
                           ? call.fresh(DType::int64, like, unknown_contents(DType::int64, count))
                           : reckoned(call, DType::int64, like, 1, [&] { return where; });
  return call.tuple(
      {line < 0 ? most : without_batch(call, most, line), line < 0 ? places : without_batch(call, places, line)});
}

Value without_batch(Call& call, const Value& batched, int d) {
  if (call.failed()) return {};
  const Tensor& hidden = *tensor_of(batched);
  call.why(Msg::hidden_base);
  const Value result = call.view(hidden, squeeze(hidden.layout, d));
  call.relation(Relation::fresh);
  return result;
}

bool check_floating(Call& call, DType dtype, const char* kernel) {
  if (is_floating(dtype)) return true;
  no_kernel(call, kernel, dtype);
  return false;
}

std::optional<Dims> spread(Call& call, const char* parameter, int dims, const Slots& text) {
  const Dims list = call.ints(parameter);
  if (call.failed()) return std::nullopt;
  if (list.size() == 1) return Dims::filled(dims, list[0]);
  if (list.size() == dims) return list;
  call.about(parameter).fail("RuntimeError", text, Msg::entries_needed, {parameter, dims, list.size()});
  return std::nullopt;
}

std::optional<std::string> streamed(double number) {
  const bool plain = std::abs(number) < 1e6 && (number == 0 || std::abs(number) >= 1e-4);
  std::string text = plain ? repr(number) : "";
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  const size_t first = std::min(text.find_first_of("123456789"), text.size());
  const auto digits = std::count_if(text.begin() + static_cast<std::ptrdiff_t>(first), text.end(),
                                    [](char c) { return c >= '0' && c <= '9'; });
  return plain && digits <= 6 ? std::optional(std::move(text)) : std::nullopt;
}

std::string_view layer_name(const Call& call) { return call.name().substr(call.name().rfind('.') + 1); }

}  // namespace stridescope
