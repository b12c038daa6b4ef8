// Windows of an image as columns, and columns added up to an image: unfold, fold.
#include <array>
#include <utility>

#include "layout/checked.h"
#include "ops/rows.h"
#include "ops/torch/index.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

using Pair = std::array<int64_t, 2>;

std::string shown(const Pair& pair) { return "(" + std::to_string(pair[0]) + ", " + std::to_string(pair[1]) + ")"; }

/// A result of `elements` one after the other, which is made as large as the input first and keeps that storage.
Value keeping(Call& call, const Layout& packed, Elements elements, int64_t held, Relation relation) {
  const int64_t count = *numel(packed.sizes);
  elements.layout = {{count}, {itemsize(elements.dtype)}, 0};
  if (count < held)
    elements.contents = patch(constant_contents(converted({DType::int64}, elements.dtype), held), elements, elements);
  return call.fresh(elements.dtype, packed, std::move(elements.contents), relation);
}

/// Fails where one of a pair is less than it may be.
void needs(Call& call, const char* parameter, const Pair& pair, int64_t least, const char* rule, const char* word) {
  if (call.failed() || (pair[0] >= least && pair[1] >= least)) return;
  call.about(parameter).fail("RuntimeError",
                             {rule, ", but got ", word, "_height: ", pair[0], " ", word, "_width: ", pair[1]},
                             Msg::at_least, {parameter, least});
}

/// How many windows there are along each dimension of an image, also where that is no number of windows; nothing where
/// a number leaves int64_t.
std::optional<Pair> windows_in(const Pair& size, const Pair& kernel, const Pair& dilation, const Pair& padding,
                               const Pair& stride) {
  Pair count{};
  for (size_t k = 0; k < 2; ++k) {
    const auto reach = checked_mul(dilation[k], kernel[k] - 1);
    const auto sum = checked_add(size[k], checked_mul(padding[k], 2));
    if (!reach || !sum || *reach == INT64_MAX) return std::nullopt;
    const auto room = checked_add(*sum, -*reach - 1);
    if (!room || *room == INT64_MIN) return std::nullopt;
    count[k] = (*room < 0 ? -(-(*room + 1) / stride[k] + 1) : *room / stride[k]) + 1;
  }
  return count;
}

/// A pair, or one number for both.
Pair pair_of(Call& call, const char* parameter) {
  // Python asks a tensor without dimensions, which is all that passes, for what it holds.
  if (tensor_of(call.value(parameter))) {
    call.about(parameter).fail("TypeError", "iteration over a 0-d tensor", Msg::scalar_has_no_length);
    return {1, 1};
  }
  const Dims list = call.ints(parameter);
  const auto* sequence = std::get_if<Sequence>(&call.value(parameter).held);
  if (call.failed()) return {1, 1};
  if (!sequence) return {list[0], list[0]};
  if (list.size() == 2) return {list[0], list[1]};
  call.about(parameter).fail("RuntimeError", {"It is expected ", parameter, " equals to 2, but got size ", list.size()},
                             Msg::pair_needed, {parameter, list.size()});
  return {1, 1};
}

Value columns_row(Call& call) {
  const Tensor tensor = call.self();
  const Dims& sizes = tensor.layout.sizes;
  const int rank = sizes.size();
  const auto kernel = pair_of(call, "kernel_size"), dilation = pair_of(call, "dilation"),
             padding = pair_of(call, "padding"), stride = pair_of(call, "stride");
  needs(call, "kernel_size", kernel, 1, "kernel size should be greater than zero", "kernel");
  needs(call, "dilation", dilation, 1, "dilation should be greater than zero", "dilation");
  needs(call, "padding", padding, 0, "padding should be non-negative", "pad");
  needs(call, "stride", stride, 1, "stride should be greater than zero", "stride");
  if (call.failed()) return {};
  if (rank < 3) return call.wrap(rank < 2 ? 1 : 2, rank, true, "input"), Value{};
  bool valid = rank <= 4;
  for (int d = rank - 1; d > 0 && rank <= 4; --d) valid = valid && sizes[d] != 0;
  if (rank == 3) valid = valid && sizes[0] != 0;
  if (!valid)
    return call.about("input").fail(
        "RuntimeError",
        {"Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, "
         "but got: ",
         list_text(sizes)},
        Msg::product_rank, {4, rank});
  const Pair size{sizes[rank - 2], sizes[rank - 1]};
  const auto windows_along = windows_in(size, kernel, dilation, padding, stride);
  if (!windows_along) return call.refuse(Msg::beyond_int64);
  const Pair blocks = *windows_along, whole{size[0] + 2 * padding[0], size[1] + 2 * padding[1]};
  if (blocks[0] < 1 || blocks[1] < 1)
    return call.about("kernel_size")
        .fail("RuntimeError",
              // PyTorch names the height twice.
              {"Given input with spatial size ", shown({size[0], size[0]}), ", kernel_size=", shown(kernel),
               ", dilation=", shown(dilation), ", padding=", shown(padding),
               ", calculated shape of the array of sliding blocks as ", shown(blocks),
               ", but its components must be at least one."},
              Msg::columns_none, {shown(kernel), shown(size)});
  if (is_integer(tensor.dtype)) return no_kernel(call, "im2col_out_cpu", tensor.dtype);
  // Zeros around it, then a view with a window at each place, then a copy of that.
  Dims edged = sizes;
  edged[rank - 2] = whole[0], edged[rank - 1] = whole[1];
  fresh_layout(call, edged, tensor.dtype);
  if (call.failed()) return {};
  Dims result;  // windows and places are no more than what the edges hold
  if (rank == 4) result.push_back(sizes[0]);
  result.push_back(kernel[0] * kernel[1] * sizes[rank - 3]);
  result.push_back(blocks[0] * blocks[1]);
  const Layout packed = fresh_layout(call, result, tensor.dtype);
  if (call.failed()) return {};
  const int64_t bytes = itemsize(tensor.dtype);
  ContentsPtr contents = constant_contents(converted({DType::int64}, tensor.dtype), *numel(edged));
  Layout place = contiguous(edged, bytes), windows{{}, {}, 0};
  for (int d = 0; d < rank - 2; ++d) {
    windows.sizes.push_back(edged[d]);
    windows.strides.push_back(place.strides[d]);
  }
  // Where there is one alone no step is taken, however far it would lead.
  for (const auto& [count, step] : {std::pair(kernel, dilation), std::pair(blocks, stride)})
    for (size_t k = 0; k < 2; ++k) {
      windows.sizes.push_back(count[k]);
      windows.strides.push_back(count[k] > 1 ? place.strides[rank - 2 + static_cast<int>(k)] * step[k] : 0);
    }
  for (size_t k = 0; k < 2; ++k) place = part(place, rank - 2 + static_cast<int>(k), padding[k], size[k]);
  if (numel(sizes) != 0) contents = patch(contents, {contents, place, tensor.dtype}, elements_of(tensor));
  call.why(Msg::columns_headline, {result.back(), shown(kernel), to_string(result)});
  if (padding[0] + padding[1] > 0) call.why(Msg::columns_zeros, {padding[0], padding[1]});
  contents = gather({contents, windows, tensor.dtype}, tensor.dtype);
  return keeping(call, packed, Elements{std::move(contents), {}, tensor.dtype}, *numel(sizes), Relation::copy);
}

/// What the windows that lie over it hold in each cell of an image, added up.
Value fold_row(Call& call) {
  Tensor tensor = call.self();
  const auto output = pair_of(call, "output_size"), kernel = pair_of(call, "kernel_size"),
             dilation = pair_of(call, "dilation"), padding = pair_of(call, "padding"), stride = pair_of(call, "stride");
  needs(call, "kernel_size", kernel, 1, "kernel size should be greater than zero", "kernel");
  needs(call, "stride", stride, 1, "stride should be greater than zero", "stride");
  needs(call, "dilation", dilation, 1, "dilation should be greater than zero", "dilation");
  needs(call, "padding", padding, 0, "padding should be non-negative", "pad");
  if (call.failed()) return {};
  const Dims given = tensor.layout.sizes;
  const int rank = given.size();
  if ((rank != 2 && rank != 3) || given[rank - 2] == 0 || given[rank - 1] == 0)
    return call.about("input").fail("RuntimeError",
                                    {"Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and "
                                     "non-zero dimensions for input, but got: ",
                                     list_text(given)},
                                    Msg::layer_rank, {2, 3, rank});
  const auto places = checked_mul(kernel[0], kernel[1]);
  const auto count = windows_in(output, kernel, dilation, padding, stride);
  const auto all = count ? checked_mul((*count)[0], (*count)[1]) : std::nullopt;
  if (!places || !all) return call.refuse(Msg::beyond_int64);
  if (given[rank - 2] % *places != 0)
    return call.about("input").fail(
        "RuntimeError",
        {"Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got input.size(1)=",
         given[rank - 2], " and kernel_size=", shown(kernel), "."},
        Msg::fold_channels, {given[rank - 2], shown(kernel)});
  const std::string asked = "Given output_size=" + shown(output) + ", kernel_size=" + shown(kernel) +
                            ", dilation=" + shown(dilation) + ", padding=" + shown(padding) +
                            ", stride=" + shown(stride);
  if (given[rank - 1] != *all)
    return call.about("output_size")
        .fail("RuntimeError",
              {asked, ", expected size of input's dimension 2 to match the calculated number of sliding blocks ",
               (*count)[0], " * ", (*count)[1], " = ", *all, ", but got input.size(2)=", given[rank - 1], "."},
              Msg::fold_blocks, {shown(output), *all, given[rank - 1]});
  if ((*count)[0] < 1 || (*count)[1] < 1)
    return call.about("output_size")
        .fail("RuntimeError",
              {asked, ", calculated shape of the array of sliding blocks as ", shown(*count),
               ", which is too small (non-positive)"},
              Msg::columns_none, {shown(kernel), shown(output)});
  if (output[0] < 1 || output[1] < 1)
    return call.about("output_size")
        .fail("RuntimeError",
              {"Expected output spatial size to be positive, but got: output_size=", shown(output), "."}, Msg::at_least,
              {"output_size", 1});
  const bool batch = rank == 3;
  const int64_t images = batch ? given[0] : 1, planes = given[rank - 2] / *places;
  Dims sizes{planes, output[0], output[1]};
  if (batch) sizes.insert(0, images);
  const Layout packed = fresh_layout(call, sizes, tensor.dtype);
  if (call.failed()) return {};
  if (is_integer(tensor.dtype)) return no_kernel(call, "col2im_out_cpu", tensor.dtype);
  call.why(Msg::fold_headline, {*all, shown(kernel), to_string(sizes)});
  call.why(Msg::fold_adds);
  const Elements columns = elements_of(tensor);
  const int64_t read = *numel(given), cells = *numel(sizes);
  if (const ContentsPtr some =
          call.unreckoned(tensor.dtype, cells, checked_mul(read, cost(columns)).value_or(INT64_MAX)))
    return keeping(call, packed, {some, {}, tensor.dtype}, read, Relation::fresh);
  if (cells > max_indices) return call.refuse(Msg::too_many_indices, {cells, max_indices});
  if (!call.quick(columns, read)) return {};
  std::vector<Scalar> sums(static_cast<size_t>(cells), converted({DType::int64}, tensor.dtype));
  const Arithmetic sum = tensor.dtype == DType::boolean ? Arithmetic::logical_or : Arithmetic::add;
  for (int64_t i = 0; i < read; ++i) {
    // In the order of memory: image, plane, place of the kernel, window.
    const int64_t window = i % *all, place = i / *all % *places, plane = i / *all / *places;
    const int64_t row = window / (*count)[1] * stride[0] - padding[0] + place / kernel[1] * dilation[0],
                  column = window % (*count)[1] * stride[1] - padding[1] + place % kernel[1] * dilation[1];
    if (row < 0 || row >= output[0] || column < 0 || column >= output[1]) continue;
    Scalar& cell = sums[static_cast<size_t>((plane * output[0] + row) * output[1] + column)];
    cell = reckon(sum, std::array{cell, element(columns, i)});
  }
  return keeping(call, packed, {literal_contents(sums, tensor.dtype), {}, tensor.dtype}, read, Relation::fresh);
}

}  // namespace

std::span<const Op> torch_column_rows() {
#define F "torch.nn.functional."
#define EXAMPLE "import torch.nn.functional as F\n"
#define WINDOWS "dilation: int | ints = 1, padding: int | ints = 0, stride: int | ints = 1)"
  static constexpr Op rows[] = {
      {Library::torch,
       F "unfold(input: tensor, kernel_size: int | ints, dilation: int | ints = 1, padding: int | ints = 0, stride: "
         "int | ints = 1)",
       Msg::op_columns, "y[n, (c, i, j), l] = x[n, c, i + row of window l, j + column of window l]; a copy",
       EXAMPLE "x = torch.arange(16.).view(1, 1, 4, 4)\ny = F.unfold(x, 2)", columns_row},
      {Library::torch, F "fold(input: tensor, output_size: int | ints, kernel_size: int | ints, " WINDOWS, Msg::op_fold,
       "y[n, c, h, w] = sum of x[n, (c, i, j), l] over the windows l that hold it at (i, j)",
       EXAMPLE "x = torch.ones(1, 4, 9)\ny = F.fold(x, (4, 4), 2)", fold_row},
  };
#undef F
#undef EXAMPLE
#undef WINDOWS
  return rows;
}

}  // namespace stridescope
