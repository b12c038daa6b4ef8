// Products whose dimensions have names: einsum.
#include <algorithm>

#include "ops/fold.h"
#include "ops/rows.h"
#include "ops/torch/pointwise.h"
#include "ops/torch/product.h"
#include "ops/torch/torch.h"

namespace stridescope {

Tensor step_of(DType dtype, const Layout& layout, ContentsPtr contents) {
  Tensor tensor;
  tensor.dtype = dtype;
  tensor.layout = layout;
  const int64_t bytes = checked_mul(cells(*contents), itemsize(dtype)).value_or(INT64_MAX);
  tensor.storage = std::make_shared<Storage>(Storage{-1, bytes, dtype, std::move(contents)});
  return tensor;
}

Value multiplied_elements(Call& call, const Tensor& a, const Tensor& b) {
  const auto value_of = [](const Tensor& tensor) {
    return Value{std::make_shared<TensorObject>(TensorObject{-1, std::make_shared<const Tensor>(tensor)})};
  };
  const Value p = value_of(a), q = value_of(b);
  if (!check_promotion(call, {&p, &q})) return {};
  const DType common = common_dtype(call, pointwise("mul", 2), {&p, &q});
  const size_t said = call.said();
  const Value product = computed(call, Arithmetic::multiply, {&p, &q}, working_dtype(common), common);
  if (!call.failed()) call.unsay(said);
  return product;
}

std::optional<Tensor> summed(Call& call, const Tensor& tensor, const Dims& along, bool keep) {
  const Rows rows = rows_along(tensor, along, keep);
  const DType dtype = is_whole(tensor.dtype) ? DType::int64 : tensor.dtype;
  return step_of(dtype, contiguous(rows.sizes), fold_rows(call, rows, dtype, [&](int64_t row) {
                   return converted(total(rows, row, dtype, false), dtype);
                 }));
}

Elements matrices(const Tensor& tensor, const Dims& dims, const Dims& sizes) {
  Elements elements = elements_of(tensor);
  elements.layout = permute(elements.layout, dims);
  return {gather(elements, tensor.dtype), contiguous(sizes, itemsize(tensor.dtype)), tensor.dtype};
}

namespace {

constexpr int dots = 52;  ///< "...", behind the letters A-Z and a-z

int number_of_letter(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 : -1; }
std::string letter_of(int number) {
  return std::string(1, static_cast<char>(number < 26 ? 'A' + number : 'a' + number - 26));
}

/// A product of two operands whose dimensions are in step, summed along `sums`, which stay with size 1: one product of
/// matrices for each index that both have.
/// `left_over` is how many products may still be made.
std::optional<Tensor> contracted(Call& call, const Tensor& a, const Tensor& b, const Dims& sums, int64_t& left_over) {
  const int rank = a.layout.rank();
  Dims both, left, right;
  int64_t batch = 1, rows = 1, inner = 1, columns = 1;
  for (int d = 0; d < rank; ++d) {
    const int64_t own = a.layout.sizes[d], other = b.layout.sizes[d];
    if (std::find(sums.begin(), sums.end(), d) != sums.end())
      inner *= own;
    else if (own != 1 && other != 1)
      both.push_back(d), batch *= own;
    else if (own != 1)
      left.push_back(d), rows *= own;
    else
      right.push_back(d), columns *= other;
  }
  Dims first = both, second = both, order = both, sizes;
  const auto append = [](Dims& list, const Dims& more) {
    for (const int64_t d : more) list.push_back(d);
  };
  append(first, left), append(first, sums), append(first, right);
  append(second, sums), append(second, right), append(second, left);
  // The second is wanted as (both, sums, right): what only the first has is of size 1 there.
  append(order, left), append(order, sums), append(order, right);
  for (const int64_t d : order) {
    const int at = static_cast<int>(d);
    const bool summed_over = std::find(sums.begin(), sums.end(), d) != sums.end();
    sizes.push_back(summed_over                                               ? 1
                    : std::find(right.begin(), right.end(), d) != right.end() ? b.layout.sizes[at]
                                                                              : a.layout.sizes[at]);
  }
  if (!check_bmm(call, a, b, {batch, rows, inner}, {batch, inner, columns})) return std::nullopt;
  const auto area = checked_mul(rows, columns), volume = checked_mul(area, inner);
  const int64_t work = checked_mul(volume, batch).value_or(INT64_MAX);
  Dims back = Dims::filled(rank, 0);
  for (int k = 0; k < rank; ++k) back[static_cast<int>(order[k])] = k;
  const Layout layout = permute(contiguous(sizes), back);
  if (work > left_over)
    return step_of(b.dtype, layout, call.unreckoned(b.dtype, numel(sizes).value_or(INT64_MAX), INT64_MAX));
  left_over -= work;
  ContentsPtr made =
      products(call, matrices(a, first, {batch, rows, inner}), matrices(b, second, {batch, inner, columns}), b.dtype);
  if (!made) return std::nullopt;
  return step_of(b.dtype, layout, std::move(made));
}

/// What the equation says of the operands.
struct Reading {
  std::string equation;
  std::vector<std::vector<int>> operands;             ///< letters, and `dots`
  std::vector<int> place = std::vector<int>(52, -1);  ///< of a letter among all dimensions, the result's first
  int unnamed = 0;                                    ///< how many dimensions the dots stand for
  int first_unnamed = 0;
  int kept = 0, all = 0;  ///< dimensions of the result, and with those that are summed
};

/// Fails as the library words it.
bool misread(Call& call, const Reading& reading, const Slots& text) {
  return call.about("equation").fail("RuntimeError", text, Msg::einsum_limits, {reading.equation}), false;
}

bool read_dots(std::string_view text, size_t& at) {
  if (text.substr(at, 3) != "...") return false;
  at += 2;
  return true;
}

bool read_operands(Call& call, Reading& reading, std::string_view text, size_t count) {
  reading.operands.assign(count, {});
  size_t current = 0;
  bool found = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    if (c == '.') {
      if (found)
        return misread(call, reading,
                       {"einsum(): found '.' for operand ", current, " for which an ellipsis was already found"});
      if (!read_dots(text, i))
        return misread(call, reading,
                       {"einsum(): found '.' for operand ", current, " that is not part of any ellipsis"});
      reading.operands[current].push_back(dots);
      found = true;
    } else if (c == ',') {
      if (++current >= count)
        return misread(call, reading, "einsum(): fewer operands were provided than specified in the equation");
      found = false;
    } else if (const int letter = number_of_letter(c); letter >= 0) {
      reading.operands[current].push_back(letter);
    } else {
      return misread(call, reading,
                     {"einsum(): invalid subscript given at index ", i,
                      " in the equation string, subscripts must be in [a-zA-Z]"});
    }
  }
  if (current + 1 < count)
    return misread(call, reading, "einsum(): more operands were provided than specified in the equation");
  return true;
}

/// Gives every letter its place; `counts` says how often each stands before the arrow.
bool read_result(Call& call, Reading& reading, const std::vector<int>& counts) {
  const size_t arrow = reading.equation.find("->");
  bool found = false;
  if (arrow == std::string::npos) {
    reading.all = reading.unnamed;
    found = true;
    for (size_t letter = 0; letter < dots; ++letter)
      if (counts[letter] == 1) reading.place[letter] = reading.all++;
  } else {
    const std::string_view text = std::string_view(reading.equation).substr(arrow + 2);
    for (size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      const int number = number_of_letter(c);
      if (c == ' ') continue;
      if (c == '.') {
        if (found)
          return misread(call, reading, "einsum(): found '.' for output but an ellipsis (...) was already found");
        if (!read_dots(text, i))
          return misread(call, reading, "einsum(): found '.' for output that is not part of any ellipsis (...)");
        reading.first_unnamed = reading.all;
        reading.all += reading.unnamed;
        found = true;
        continue;
      }
      if (number < 0)
        return misread(call, reading,
                       {"einsum(): invalid subscript given at index ", arrow + 2 + i,
                        " in the equation string, subscripts must be in [a-zA-Z]"});
      const auto letter = static_cast<size_t>(number);
      if (counts[letter] == 0 || reading.place[letter] >= 0)
        return misread(call, reading,
                       {"einsum(): output subscript ", std::string(1, c),
                        reading.place[letter] >= 0 ? " appears more than once in the output"
                                                   : " does not appear in the equation for any input operand"});
      reading.place[letter] = reading.all++;
    }
  }
  reading.kept = reading.all;
  if (!found) {
    reading.first_unnamed = reading.all;
    reading.all += reading.unnamed;
  }
  for (size_t letter = 0; letter < dots; ++letter)
    if (counts[letter] > 0 && reading.place[letter] < 0) reading.place[letter] = reading.all++;
  return true;
}

std::optional<Reading> read(Call& call, const std::string& equation, const std::vector<TensorPtr>& operands) {
  Reading reading;
  reading.equation = equation;
  if (!read_operands(call, reading, std::string_view(equation).substr(0, equation.find("->")), operands.size()))
    return std::nullopt;
  std::vector<int> counts(52);
  for (size_t i = 0; i < operands.size(); ++i) {
    int letters = 0;
    bool more = false;
    for (const int letter : reading.operands[i])
      if (letter == dots)
        more = true;
      else
        ++letters, ++counts[static_cast<size_t>(letter)];
    const int rank = operands[i]->layout.rank();
    if (more ? letters > rank : letters != rank)
      return call.about("equation")
                 .fail("RuntimeError",
                       {"einsum(): the number of subscripts in the equation (", letters,
                        more ? ") is more than the number of dimensions ("
                             : ") does not match the number of dimensions (",
                        rank, ") for operand ", i, more ? "" : " and no ellipsis was given"},
                       Msg::einsum_subscripts, {letters, rank}),
             std::nullopt;
    if (more) reading.unnamed = std::max(reading.unnamed, rank - letters);
  }
  if (!read_result(call, reading, counts)) return std::nullopt;
  if (reading.all > max_rank) return call.refuse(Msg::too_many_dims, {max_rank}), std::nullopt;
  return reading;
}

/// An operand under all dimensions, those of one letter as their diagonal. `sizes` are those seen so far.
bool align(Call& call, const Reading& reading, size_t number, Layout& layout, Dims& sizes, std::vector<int>& counts) {
  Layout result{Dims::filled(reading.all, 1), Dims::filled(reading.all, 1), layout.storage_offset};
  std::vector<bool> seen(static_cast<size_t>(reading.all));
  const auto& letters = reading.operands[number];
  int d = 0;
  const auto take = [&](int place, int letter) {
    const int64_t size = layout.sizes[d], before = sizes[place];
    if (seen[static_cast<size_t>(place)]) {
      if (size != result.sizes[place])
        return call.fail("RuntimeError",
                         {"einsum(): subscript ", letter_of(letter), " is repeated for operand ", number,
                          " but the sizes don't match, ", size, " != ", result.sizes[place]},
                         Msg::einsum_repeated, {letter_of(letter), result.sizes[place], size}),
               false;
      result.strides[place] += layout.strides[d++];
      return true;
    }
    if (size != 1 && before != 1 && before != size) {
      if (letter == dots)
        return misread(call, reading,
                       {"einsum(): dimension ", d, " covered by ellipsis in operand ", number, "has size ", size,
                        " which does not broadcast with previously seen ellipsis with size ", before,
                        " for the respective dimension"});
      return call.fail("RuntimeError",
                       {"einsum(): subscript ", letter_of(letter), " has size ", size, " for operand ", number,
                        " which does not broadcast with previously seen size ", before},
                       Msg::einsum_repeated, {letter_of(letter), before, size}),
             false;
    }
    if (size != 1) sizes[place] = size, ++counts[static_cast<size_t>(place)];
    seen[static_cast<size_t>(place)] = true;
    result.sizes[place] = size;
    result.strides[place] = layout.strides[d++];
    return true;
  };
  for (const int letter : letters) {
    if (letter != dots) {
      if (!take(reading.place[static_cast<size_t>(letter)], letter)) return false;
      continue;
    }
    const int covered = layout.rank() - (static_cast<int>(letters.size()) - 1);
    for (int j = reading.unnamed - covered; j < reading.unnamed; ++j)
      if (!take(reading.first_unnamed + j, dots)) return false;
  }
  layout = result;
  return true;
}

/// The first operand multiplied by the second, the result by the third, and so on; each dimension is summed as soon as
/// no other operand has it. `common` are the sizes of all dimensions.
Value contract_all(Call& call, const Reading& reading, const Dims& common, const std::vector<Tensor>& operands,
                   std::vector<int> counts) {
  Tensor held = operands[0];
  Value object;  // what `held` is where the program could reach it
  int64_t left_over = most_products;
  for (size_t i = 1; i < operands.size(); ++i) {
    Tensor next = operands[i];
    Dims both, own, other;
    for (int d = reading.kept; d < reading.all; ++d) {
      int& count = counts[static_cast<size_t>(d)];
      const bool here = held.layout.sizes[d] != 1, there = next.layout.sizes[d] != 1;
      if (here && there) {
        if (--count == 1) both.push_back(d), count = 0;
      } else if (count == 1 && (here || there)) {
        (here ? own : other).push_back(d);
        count = 0;
      }
    }
    for (const auto& [tensor, along] : {std::pair{&held, &own}, std::pair{&next, &other}}) {
      const auto sum = along->empty() ? std::optional(*tensor) : summed(call, *tensor, *along, true);
      if (!sum) return {};
      *tensor = *sum;
    }
    if (both.empty()) {
      object = multiplied_elements(call, held, next);
      if (call.failed()) return {};
      held = *tensor_of(object);
      continue;
    }
    const auto result = contracted(call, held, next, both, left_over);
    if (!result) return {};
    held = *result;
    object = {};
  }
  Dims sizes;
  for (int d = 0; d < reading.kept; ++d) sizes.push_back(held.layout.sizes[d]);
  int64_t terms = 1;
  for (int d = reading.kept; d < reading.all; ++d) terms = checked_mul(terms, common[d]).value_or(INT64_MAX);
  call.headline(Msg::einsum_headline, {reading.equation, to_string(sizes), terms});
  if (reading.all == reading.kept) return object;
  if (!tensor_of(object)) {
    const int64_t count = *numel(held.layout.sizes);
    object = call.fresh(held.dtype, contiguous({count}), held.storage->contents);
    call.why(Msg::hidden_base);
  }
  // Only dimensions of size 1 are dropped.
  const Value result = call.view(*tensor_of(object), *as_layout(view(held.layout, sizes)));
  call.relation(Relation::fresh);
  return result;
}

Value einsum_row(Call& call) {
  std::vector<Value> given = *std::get<Sequence>(call.value("operands").held).items;
  if (given.size() == 1)
    if (const auto* list = std::get_if<Sequence>(&given[0].held)) given = std::vector<Value>(*list->items);
  if (given.empty())
    return call.fail("ValueError",
                     "einsum(): must specify the equation string and at least one operand, or at least one operand and "
                     "its subscripts list",
                     Msg::needs_tensors);
  const auto* equation = std::get_if<std::string>(&call.value("equation").held);
  if (!equation && tensor_of(call.value("equation")))
    return call.about("equation").refuse(Msg::not_modelled, {"PyTorch", "einsum(x, [0, 1], ..)"});
  if (!equation) return call.wrong_type("equation", "str");
  std::vector<TensorPtr> tensors;
  for (const Value& one : given) {
    const TensorPtr tensor = tensor_of(one);
    if (!tensor || tensor->library != Library::torch) return call.wrong_type("operands", "tuple of Tensors");
    tensors.push_back(tensor);
  }
  const auto reading = read(call, *equation, tensors);
  if (!reading) return {};
  Dims sizes = Dims::filled(reading->all, 1);
  std::vector<int> counts(static_cast<size_t>(reading->all));
  std::vector<Tensor> operands;
  for (size_t i = 0; i < tensors.size(); ++i) {
    operands.push_back(*tensors[i]);
    if (!align(call, *reading, i, operands.back().layout, sizes, counts)) return {};
  }
  if (operands.size() > 1) return contract_all(call, *reading, sizes, operands, std::move(counts));
  if (reading->kept == reading->all) {
    call.why(Msg::einsum_view, {*equation, to_string(operands[0].layout)});
    return call.view(*tensors[0], operands[0].layout);
  }
  Dims along;
  for (int d = reading->kept; d < reading->all; ++d) along.push_back(d);
  const auto sum = summed(call, operands[0], along, false);
  if (!sum) return {};
  const int64_t count = *numel(sum->layout.sizes), all = *numel(operands[0].layout.sizes);
  call.why(Msg::einsum_headline, {*equation, to_string(sum->layout.sizes), count == 0 ? 0 : all / count});
  return call.fresh(sum->dtype, sum->layout, sum->storage->contents);
}

}  // namespace

std::span<const Op> torch_einsum_rows() {
  static constexpr Op rows[] = {
      {Library::torch, "torch.einsum(equation: any = None, *operands: any = ())", Msg::op_einsum,
       "letters name dimensions; what the result leaves out is summed; of one operand without a sum a view",
       "x = torch.arange(6).view(2, 3)\ny = torch.einsum('ij,kj->ik', x, x)", einsum_row},
  };
  return rows;
}

}  // namespace stridescope
