// Images of another size: interpolate.
#include <algorithm>
#include <cmath>

#include "ops/members.h"
#include "ops/python/text.h"
#include "ops/rows.h"
#include "ops/torch/nn/layers.h"
#include "ops/torch/nn/windows.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

constexpr std::string_view all_modes = "nearest | linear | bilinear | bicubic | trilinear | area | nearest-exact";

/// What one place of the result is made of, along one dimension: a share of one place of the image, the rest of
/// another.
struct Mix {
  int64_t first = 0, second = 0;
  double share = 1;
};

Mix mixed(int64_t place, int64_t from, int64_t to, double factor, const std::string& mode, bool corners, int dims) {
  // Where as many come out, or twice as many, the factor is not looked at: not by all kernels.
  const bool nearest = mode == "nearest";
  if (to == from && mode != "nearest-exact" && (!nearest || dims == 2)) return {place, place, 1};
  if (to == 2 * from && nearest && dims == 2) return {place / 2, 0, 1};
  const float scale = factor > 0 ? static_cast<float>(1 / factor) : static_cast<float>(from) / static_cast<float>(to);
  const auto kept = [&](float at) { return std::min(static_cast<int64_t>(at), from - 1); };
  const auto at = static_cast<float>(place);
  if (nearest) return {kept(std::floor(at * scale)), 0, 1};
  if (mode == "nearest-exact") return {kept(std::floor((at + 0.5f) * scale)), 0, 1};
  const float step = to > 1 ? static_cast<float>(from - 1) / static_cast<float>(to - 1) : 0;
  const float real = corners ? step * at : std::max(scale * (at + 0.5f) - 0.5f, 0.f);
  const int64_t first = kept(real);
  return {first, std::min(first + 1, from - 1), 1 - (static_cast<double>(real) - static_cast<double>(first))};
}

/// The four places along one dimension that a cubic curve is laid through, and how much of each is taken. Reckoned in
/// `Number`, as the library does.
template <typename Number>
std::array<std::pair<int64_t, Number>, 4> cubic(int64_t place, int64_t from, int64_t to, double factor, bool corners) {
  const Number scale = corners      ? to > 1 ? static_cast<Number>(from - 1) / static_cast<Number>(to - 1) : 0
                       : factor > 0 ? static_cast<Number>(1 / factor)
                                    : static_cast<Number>(from) / static_cast<Number>(to);
  const auto at = static_cast<Number>(place), half = static_cast<Number>(0.5);
  const Number real = corners ? scale * at : scale * (at + half) - half;
  const int64_t first = std::min(static_cast<int64_t>(std::floor(real)), from - 1);
  const Number behind = std::clamp(real - static_cast<Number>(first), Number{0}, Number{1}), ahead = 1 - behind;
  constexpr Number a = static_cast<Number>(-0.75);
  const auto near = [](Number x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };
  const auto far = [](Number x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };
  const auto kept = [&](int64_t k) { return std::clamp<int64_t>(first + k, 0, from - 1); };
  return {{{kept(-1), far(behind + 1)}, {kept(0), near(behind)}, {kept(1), near(ahead)}, {kept(2), far(ahead + 1)}}};
}

/// Images, each of `from` rows and columns, made to have `to` of them by cubic curves.
template <typename Number>
std::vector<double> bicubic(const std::vector<double>& values, const Dims& from, const Dims& to,
                            const std::vector<double>& factors, bool corners, DType dtype) {
  const auto along = [&](int k) {
    std::vector<std::array<std::pair<int64_t, Number>, 4>> all;
    for (int64_t place = 0; place < to[k]; ++place) {
      all.push_back(
          cubic<Number>(place, from[k], to[k], factors.empty() ? 0 : factors[static_cast<size_t>(k)], corners));
      for (auto& [cell, share] : all.back()) share = static_cast<Number>(rounded_to(dtype, share));
    }
    return all;
  };
  const auto down = along(0), across = along(1);
  std::vector<double> result;
  for (size_t image = 0; image < values.size(); image += static_cast<size_t>(from[0] * from[1]))
    for (const auto& rows : down)
      for (const auto& columns : across) {
        Number sum = 0;
        for (const auto& [row, share] : rows) {
          Number line = 0;
          for (const auto& [column, part] : columns)
            line += static_cast<Number>(values[image + static_cast<size_t>(row * from[1] + column)]) * part;
          sum += line * share;
        }
        result.push_back(static_cast<double>(sum));
      }
  return result;
}

/// How large the result is to be, and by which factors where those were given.
struct Wanted {
  Dims sizes;
  std::vector<double> factors;
  bool unread = false;  ///< a factor is no number, which is noticed only by the kernel
};

/// The sizes asked for; nothing, and the call failed as Python's interpolate does.
std::optional<Wanted> wanted_sizes(Call& call, const Dims& image, int dims) {
  Wanted wanted;
  const auto listed = [](const Value& value) {
    const auto* list = std::get_if<Sequence>(&value.held);
    return list ? *list->items : std::vector<Value>{};
  };
  for (const char* parameter : {"size", "scale_factor"}) {
    if (!call.given(parameter)) continue;
    const Value& given = call.value(parameter);
    std::vector<Value> list = listed(given);
    const bool scales = parameter[1] == 'c';
    if (!std::holds_alternative<Sequence>(given.held)) list.assign(static_cast<size_t>(std::max(dims, 0)), given);
    if (static_cast<int>(list.size()) != std::max(dims, 0) || dims < 0) {
      Dims spatial;
      for (int k = 0; k < dims; ++k) spatial.push_back(image[k + 2]);
      const std::string where = list_text(spatial), shown = python_field(given).value_or(to_string(given));
      call.about(parameter).fail(
          "ValueError",
          {"Input and ", scales ? "scale_factor" : "output",
           " must have the same number of spatial dimensions, but got input with spatial dimensions of ", where,
           " and ", scales ? "scale_factor of shape " : "output size of ", shown,
           ". Please provide input tensor in (N, C, d1, d2, ...,dK) format and ",
           scales ? "scale_factor in (s1, s2, ...,sK)" : "output size in (o1, o2, ...,oK)", " format."},
          Msg::entries_needed, {parameter, dims, static_cast<int64_t>(list.size())});
      return std::nullopt;
    }
    const auto is_size = [](const Value& one) { return as_integer(one).has_value(); };
    if (!scales && std::holds_alternative<Sequence>(given.held) && !std::all_of(list.begin(), list.end(), is_size)) {
      std::string types;
      for (const Value& one : list) types += (types.empty() ? "<class '" : ", <class '") + attribute_type(one) + "'>";
      call.about("size").fail("TypeError",
                              {"expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, "
                               "int], but got size with types [",
                               types, "]"},
                              Msg::argument_has_type, {"size", "tuple of ints", type_name(given)});
      return std::nullopt;
    }
    for (int k = 0; k < dims; ++k) {
      const Value& one = list[static_cast<size_t>(k)];
      // A tensor for a factor, too, is refused by each of the kernels' own parsers.
      const auto number = scales && !tensor_of(one) ? as_real(one) : std::optional<double>();
      const auto size = scales ? std::optional<int64_t>() : as_integer(one);
      if (!scales && k == 0 && std::holds_alternative<bool>(one.held))
        return call.wrong_type("size", "tuple of ints"), std::nullopt;
      wanted.unread = wanted.unread || (!number && !size);
      const double scaled = number ? std::floor(static_cast<double>(image[k + 2]) * *number) : 0;
      if (!(std::abs(scaled) < 0x1p53)) return call.refuse(Msg::beyond_int64), std::nullopt;
      wanted.factors.push_back(number.value_or(0));
      wanted.sizes.push_back(size ? *size : static_cast<int64_t>(scaled));
    }
  }
  return wanted;
}

/// The kernel that refuses a dtype: there is one for images that lie channels last, and for small flat ones.
std::string kernel_name(const Tensor& x, const Dims& spatial, const std::string& mode) {
  if (mode == "bicubic") return "compute_indices_weights_cubic";
  const bool nearest = mode.starts_with("nearest");
  const int dims = spatial.size();
  const bool many = x.layout.rank() > 3 && x.layout.sizes[1] > 3 && is_channels_last(x.layout);
  if (!many && (dims != 2 || spatial[0] + spatial[1] > 128))
    return nearest ? "compute_indices_weights_nearest" : "compute_indices_weights_linear";
  const std::string_view way = nearest ? "nearest" : dims == 2 ? "bilinear" : "trilinear";
  return "upsample_" + std::string(way) + std::to_string(dims) + "d_channels_last";
}

Value interpolate_row(Call& call) {
  const Value& asked = call.value("mode");
  if (const TensorPtr array = tensor_of(asked);
      array && array->library == Library::numpy && numel(array->layout.sizes) != 1)
    return call.truth("mode"), Value{};  // of what it is compared with
  const auto* word = std::get_if<std::string>(&asked.held);
  const auto named = word ? std::optional(*word) : python_field(asked);
  if (!named) return call.about("mode").refuse(Msg::not_modelled, {"PyTorch", call.name()});
  const std::string mode = *named;
  const bool nearest = mode.starts_with("nearest"), area = mode == "area";
  if (nearest || area) {
    if (call.given("align_corners"))
      return call.about("align_corners")
          .fail("ValueError",
                "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | "
                "trilinear",
                Msg::resize_without, {mode, "align_corners"});
  }
  if (const TensorPtr given = tensor_of(call.first()); !given || given->library != Library::torch)
    return call.about("input").fail("AttributeError",
                                    {"'", attribute_type(call.first()), "' object has no attribute 'dim'"},
                                    Msg::attribute_unknown, {attribute_type(call.first()), "dim"});
  const Tensor x = call.self();
  const Dims& image = x.layout.sizes;
  const int rank = image.size(), dims = rank - 2;
  if (call.given("size") && call.given("scale_factor"))
    return call.about("scale_factor")
        .fail("ValueError", "only one of size or scale_factor should be defined", Msg::resize_one_of);
  std::optional<Wanted> wanted = Wanted{};
  if (dims > 0 || std::holds_alternative<Sequence>(call.value("size").held) ||
      std::holds_alternative<Sequence>(call.value("scale_factor").held))
    wanted = wanted_sizes(call, image, dims);
  if (!wanted) return {};
  const Dims& spatial = wanted->sizes;
  std::vector<double>& factors = wanted->factors;
  if (spatial.empty() && !call.given("size") && !call.given("scale_factor"))
    return call.fail("ValueError", "either size or scale_factor should be defined", Msg::resize_one_of);
  const bool recomputes = call.truth("recompute_scale_factor");
  if (recomputes && call.given("size"))
    return call.about("recompute_scale_factor")
        .fail("ValueError", "recompute_scale_factor is not meaningful with an explicit size.", Msg::resize_one_of);
  if (recomputes && wanted->unread) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  if (recomputes || area) factors.clear();
  if (call.truth("antialias") && !(rank == 4 && (mode == "bilinear" || mode == "bicubic")))
    return call.about("antialias")
        .fail("ValueError",
              "Anti-alias option is restricted to bilinear and bicubic modes and requires a 4-D tensor as input",
              mode == "bilinear" || mode == "bicubic" ? Message(Msg::resize_mode, {mode, rank})
                                                      : Message(Msg::resize_without, {mode, "antialias"}));
  if (call.failed()) return {};
  const int needed = mode == "linear" ? 3 : mode == "bilinear" || mode == "bicubic" ? 4 : mode == "trilinear" ? 5 : 0;
  if (rank < 3 || rank > 5 || (needed == 0 && !nearest && !area) || (mode == "bicubic" && rank != 4))
    return call.about(rank < 3 || rank > 5 ? "input" : "mode")
        .fail("NotImplementedError",
              {"Input Error: Only 3D, 4D and 5D input Tensors supported (got ", rank, "D) for the modes: ", all_modes,
               " (got ", mode, ")"},
              Msg::resize_mode, {mode, rank});
  if (needed != 0 && needed != rank)
    return call.about("mode").fail("NotImplementedError",
                                   {"Got ", rank, "D input, but ", mode, " mode needs ", needed, "D input"},
                                   Msg::resize_mode, {mode, rank});
  if (call.given("align_corners") && !std::holds_alternative<bool>(call.value("align_corners").held))
    return call.wrong_type("align_corners", "bool");
  if (wanted->unread && area && !call.given("size")) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  if (wanted->unread)
    return call.given("size") ? call.wrong_type("size", "tuple of ints")
                              : call.wrong_type("scale_factor", "tuple of floats");
  if (area) return adaptive_average(call, x, spatial);
  const bool corners = call.given("align_corners") && call.boolean("align_corners");
  if (call.truth("antialias"))
    return call.refuse(Msg::not_modelled, {"PyTorch", "interpolate(mode=" + quoted(mode) + ")"});
  Dims sizes{image[0], image[1]};
  bool filled = true;
  for (int k = 0; k < dims; ++k) filled = filled && image[k + 2] > 0 && spatial[k] > 0;
  for (const int64_t size : spatial) sizes.push_back(size);
  if (!filled) {
    const auto shown = [&](const Dims& list, int from) {
      constexpr const char* axes[] = {"D: ", "H: ", "W: "};
      std::string text;
      for (int k = 0; k < dims; ++k)
        text += (k > 0 ? ", " : "") + std::string(axes[3 - dims + k]) + std::to_string(list[from + k]);
      return text;
    };
    return call.fail("RuntimeError",
                     {"Input and output sizes should be greater than 0, but got input (", shown(image, 2),
                      dims == 1 ? ") and output (" : ") output (", shown(spatial, 0), ")"},
                     Msg::layer_nothing, {to_string(sizes)});
  }
  if (image[1] == 0)
    return call.about_receiver().fail(
        "RuntimeError", {"Non-empty ", rank, "D data tensor expected but got a tensor with sizes ", list_text(image)},
        Msg::layer_nothing, {to_string(image)});
  if (!is_floating(x.dtype) && (x.dtype != DType::uint8 || (!nearest && dims != 2)))
    return no_kernel(call, kernel_name(x, spatial, mode), x.dtype);
  if (!nearest && x.dtype == DType::uint8) return call.refuse(Msg::not_modelled, {"PyTorch", call.name()});
  call.why(Msg::resize_headline, {to_string(spatial), mode});
  const auto layout = layer_layout(call, x.dtype, x.layout, sizes);
  if (!layout) return {};
  Windows::Three from{1, 1, 1}, to{1, 1, 1};
  Dims seen;
  for (int k = 0; k < dims; ++k) seen.push_back(image[k + 2]);
  if (mode == "bicubic")
    return reckoned(call, x.dtype, *layout, times({*numel(sizes), 16}), [&] {
      const std::vector<double> values = doubles_of(call, x);
      if (call.failed()) return std::vector<double>();
      return x.dtype == DType::float64 ? bicubic<double>(values, seen, spatial, factors, corners, x.dtype)
                                       : bicubic<float>(values, seen, spatial, factors, corners, x.dtype);
    });
  Windows::set(from, seen);
  Windows::set(to, spatial);
  return reckoned(call, x.dtype, *layout, times({*numel(sizes), nearest ? 1 : 8}), [&] {
    const std::vector<double> values = doubles_of(call, x);
    std::vector<double> result;
    for (int64_t n = 0; !call.failed() && n < image[0] * image[1]; ++n)
      Windows::each(to, [&](const Windows::Three& at) {
        std::array<Mix, 3> mix{};
        for (size_t k = static_cast<size_t>(3 - dims); k < 3; ++k)
          mix[k] = mixed(at[k], from[k], to[k], factors.empty() ? 0 : factors[k - static_cast<size_t>(3 - dims)], mode,
                         corners, dims);
        double sum = nearest ? -0.0 : 0;  // what is copied keeps its sign
        Windows::each({2, 2, 2}, [&](const Windows::Three& side) {
          double share = 1;
          int64_t cell = n;
          for (size_t k = 0; k < 3; ++k) {
            share *= side[k] == 0 ? mix[k].share : 1 - mix[k].share;
            cell = cell * from[k] + (side[k] == 0 ? mix[k].first : mix[k].second);
          }
          if (share != 0) sum += share * values[static_cast<size_t>(cell)];
        });
        result.push_back(sum);
      });
    return result;
  });
}

}  // namespace

std::span<const Op> torch_resize_rows() {
  static constexpr Op rows[] = {
      {Library::torch,
       "torch.nn.functional.interpolate(input: any, size: any = None, scale_factor: any = None, mode: any = "
       "'nearest', align_corners: any = None, recompute_scale_factor: any = None, antialias: any = False)",
       Msg::op_interpolate,
       "y[n, c, ..] = x at the place that lies there, or between its neighbours; channels last if x is",
       "import torch.nn.functional as F\nx = torch.arange(4.).view(1, 1, 2, 2)\ny = F.interpolate(x, scale_factor=2)",
       interpolate_row},
  };
  return rows;
}

}  // namespace stridescope
