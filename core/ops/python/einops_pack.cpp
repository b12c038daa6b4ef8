// pack, unpack and parse_shape of einops: patterns that stand for the dims of one tensor or of several.
#include <algorithm>

#include "layout/checked.h"
#include "ops/explanation.h"
#include "ops/python/chain.h"
#include "ops/python/dictionary.h"

namespace stridescope {
namespace {

/// Which dims a pattern like "b * c" has before its * and behind it.
struct Star {
  int before = 0, behind = 0;
};

std::optional<PatternProblem> read_star(const std::string& pattern, const std::string& function, Star& star) {
  const std::string called = function + "(..., \"" + pattern + "\")";
  std::vector<std::string_view> axes;
  for (size_t i = 0; i < pattern.size();) {
    const size_t from = pattern.find_first_not_of(" \t\n\r\f\v", i);
    if (from == pattern.npos) break;
    i = std::min(pattern.find_first_of(" \t\n\r\f\v", from), pattern.size());
    axes.push_back(std::string_view(pattern).substr(from, i - from));
  }
  if (axes.size() > max_rank) return PatternProblem{limit(Msg::np_too_many_axes, {max_rank})};
  const auto at = [&](std::string_view axis) {
    const auto from = static_cast<int32_t>(axis.data() - pattern.data());
    return Span{from, from + static_cast<int32_t>(axis.size())};
  };
  for (auto axis = axes.begin(); axis != axes.end(); ++axis)
    if (std::find(axes.begin(), axis, *axis) != axis)
      return einops_error({"Duplicates in axes names in ", called}, Msg::einops_twice, {*axis}, at(*axis));
  const auto found = std::find(axes.begin(), axes.end(), "*");
  if (found == axes.end()) return einops_error({"No *-axis in ", called}, Msg::einops_star, {});
  for (const std::string_view axis : axes)
    if (axis != "*" && misnamed(axis))
      return einops_error({"Invalid axis name ", axis, " in ", called}, Msg::einops_name, {axis}, at(axis));
  star = {static_cast<int>(found - axes.begin()), static_cast<int>(axes.end() - found) - 1};
  return std::nullopt;
}

/// The shapes that unpack is given; nothing where one holds something else than integers.
std::optional<std::vector<Dims>> shapes_in(const Value& value) {
  const auto* shapes = std::get_if<Sequence>(&value.held);
  if (!shapes || !(shapes->kind == Sequence::Kind::list || is_tuple(shapes->kind))) return std::nullopt;
  std::vector<Dims> found;
  for (const Value& shape : *shapes->items) {
    const auto* sizes = std::get_if<Sequence>(&shape.held);
    if (!sizes || !(sizes->kind == Sequence::Kind::list || is_tuple(sizes->kind)) || sizes->items->size() > max_rank)
      return std::nullopt;
    Dims dims;
    for (const Value& size : *sizes->items) {
      const auto number = as_index(size);
      if (!number) return std::nullopt;
      dims.push_back(*number);
    }
    found.push_back(dims);
  }
  return found;
}

/// How many elements each part has along the dim that is unpacked, -1 where nobody says; nothing where that is too many
/// to count.
std::optional<std::vector<int64_t>> lengths_of(const std::vector<Dims>& shapes) {
  std::vector<int64_t> lengths;
  for (const Dims& shape : shapes) {
    std::optional<int64_t> length = 1;
    for (const int64_t size : shape) length = checked_mul(length, size);
    if (std::find(shape.begin(), shape.end(), -1) != shape.end()) length = -1;
    if (!length) return std::nullopt;
    lengths.push_back(*length);
  }
  return lengths;
}

/// Where each part begins, and the last ends: from the front up to the one whose length nobody says, from the back
/// behind it. Nothing where that is too far to count.
std::optional<std::vector<int64_t>> positions_of(const std::vector<int64_t>& lengths, int64_t size) {
  const size_t count = lengths.size();
  std::vector<int64_t> positions(count, 0);
  positions.push_back(size);
  const auto open = static_cast<size_t>(std::find(lengths.begin(), lengths.end(), -1) - lengths.begin());
  for (size_t i = 0; i + 1 < count && i < open; ++i) {
    const auto next = checked_add(positions[i], lengths[i]);
    if (!next) return std::nullopt;
    positions[i + 1] = *next;
  }
  for (size_t i = count; i-- > open + 1;) {
    const auto next = checked_add(checked_mul(lengths[i], -1), positions[i + 1]);
    if (!next) return std::nullopt;
    positions[i] = *next;
  }
  return positions;
}

}  // namespace

Interpreter::Result Interpreter::packed(const Form& form, const Arguments& arguments, const Expr& at) {
  const auto* list = std::get_if<Sequence>(&arguments.positional[0].held);
  const auto& pattern = std::get<std::string>(arguments.positional[1].held);
  if (!list || !(list->kind == Sequence::Kind::list || is_tuple(list->kind)))
    return fail(limit(Msg::not_modelled, {"einops", title(at.span)}), at.span);
  const size_t self = step_->applied.size();
  einops_call(form, arguments, at);
  Star star;
  if (auto found = read_star(pattern, "pack", star)) return misread(self, std::move(*found), arguments, 1);
  if (list->items->empty())
    return misread(self,
                   {python_error("IndexError", {type_name(arguments.positional[0]), " index out of range"},
                                 Msg::einops_empty_list)},
                   arguments, 0);
  std::vector<Value> shapes, parts;
  Chain chain{*this, at, list->items->front()};
  std::string told;
  for (size_t i = 0; i < list->items->size(); ++i) {
    const Value& part = (*list->items)[i];
    const TensorPtr tensor = tensor_of(part);
    if (!tensor && i == 0) return misread(self, no_tensor(part), arguments, 0);
    if (!tensor)
      return misread(self,
                     {python_error("AttributeError", {"'", attribute_type(part), "' object has no attribute 'shape'"},
                                   Msg::attribute_unknown, {type_name(part), "shape"})},
                     arguments, 0);
    const Dims& sizes = tensor->layout.sizes;
    const int least = star.before + star.behind, behind = sizes.size() - star.behind;
    if (sizes.size() < least)
      return misread(self,
                     einops_error({"packed tensor #", i, " (enumeration starts with 0) has shape ",
                                   to_string(shape_of(*tensor), SIZE_MAX), ", while pattern ", pattern,
                                   " assumes at least ", least, " axes"},
                                  Msg::einops_rank, {least, sizes.size()}),
                     arguments, 0);
    Dims seen, inner;
    for (int d = 0; d < star.before; ++d) seen.push_back(sizes[d]);
    seen.push_back(-1);
    for (int d = star.before; d < behind; ++d) inner.push_back(sizes[d]);
    for (int d = behind; d < sizes.size(); ++d) seen.push_back(sizes[d]);
    shapes.push_back(tuple_of(inner, tensor->library == Library::torch ? Sequence::Kind::size : Sequence::Kind::tuple));
    chain.value = part;
    chain.code = Slots{"tensors[", i, "]"}.str();
    if (!chain.reshape(seen)) return std::nullopt;
    told += (told.empty() ? "" : ", ") + chain.code;
    parts.push_back(chain.value);
  }
  step_->applied[self].why.lines.push_back(Message(Msg::einops_packed, {shapes.size(), star.before}));
  chain.value = parts.front();
  const bool torch = chain.of_torch();
  const std::string written = Slots{"(", told, "), ", torch ? "dim=" : "axis=", star.before}.str();
  if (!chain.function(torch ? "cat" : "concatenate", {list_of(std::move(parts)), Value{int64_t{star.before}}}, written))
    return std::nullopt;
  return list_of({chain.value, list_of(std::move(shapes))}, Sequence::Kind::tuple);
}

Interpreter::Result Interpreter::unpacked(const Form& form, const Arguments& arguments, const Expr& at) {
  const Value &whole = arguments.positional[0], &asked = arguments.positional[1];
  const auto& pattern = std::get<std::string>(arguments.positional[2].held);
  const auto shapes = shapes_in(asked);
  if (!shapes) return fail(limit(Msg::not_modelled, {"einops", title(at.span)}), at.span);
  const size_t self = step_->applied.size();
  einops_call(form, arguments, at);
  Star star;
  if (auto found = read_star(pattern, "unpack", star)) return misread(self, std::move(*found), arguments, 2);
  const TensorPtr tensor = tensor_of(whole);
  if (!tensor) return misread(self, no_tensor(whole), arguments, 0);
  const Dims& sizes = tensor->layout.sizes;
  const int rank = star.before + 1 + star.behind;
  if (sizes.size() != rank)
    return misread(self,
                   einops_error({"unpack(..., ", pattern, ") received input of wrong dim with shape ",
                                 to_string(shape_of(*tensor), SIZE_MAX)},
                                Msg::einops_rank, {rank, sizes.size()}),
                   arguments, 0);
  const auto lengths = lengths_of(*shapes);
  if (lengths && std::count(lengths->begin(), lengths->end(), -1) > 1)
    return misread(self,
                   einops_error({"unpack(..., ", pattern, ") received more than one -1 in ", to_string(asked, SIZE_MAX),
                                 " and can't infer dimensions"},
                                Msg::einops_undetermined, {"-1"}),
                   arguments, 1);
  const int64_t size = sizes[star.before];
  const auto positions = lengths ? positions_of(*lengths, size) : std::nullopt;
  if (!positions) return misread(self, {limit(Msg::beyond_int64)}, arguments, 1);
  step_->applied[self].why.lines.push_back(Message(Msg::einops_unpacked, {star.before, shapes->size()}));
  std::vector<Value> parts;
  for (size_t i = 0; i < shapes->size(); ++i) {
    const auto bound = [&](int64_t place) { return std::make_shared<const Value>(Value{place}); };
    std::vector<Value> key(static_cast<size_t>(star.before), Value{SliceValue{}});
    key.push_back({SliceValue{bound((*positions)[i]), bound((*positions)[i + 1]), nullptr}});
    std::string written;
    for (int d = 0; d < star.before; ++d) written += ":, ";
    written += Slots{(*positions)[i], ":", (*positions)[i + 1]}.str();
    Chain chain{*this, at, whole, written_as(arguments, 0, "tensor")};
    const auto forms = find_forms(tensor->library, Form::Kind::subscript, "[]");
    const Value place = list_of(std::move(key), Sequence::Kind::tuple);
    const Dims& shape = (*shapes)[i];
    if (shape.size() + rank > max_rank) return misread(self, {limit(Msg::np_too_many_axes, {max_rank})}, arguments, 1);
    Dims seen;
    for (int d = 0; d < star.before; ++d) seen.push_back(sizes[d]);
    for (const int64_t one : shape) seen.push_back(one);
    for (int d = star.before + 1; d < rank; ++d) seen.push_back(sizes[d]);
    if (chain.done(invoke(forms, {{whole, place}, {}, {}, {}, {}}, at.span),
                   Slots{chain.code, "[", written, "]"}.str()) &&
        chain.reshape(seen)) {
      parts.push_back(chain.value);
      continue;
    }
    if (!error_->raised) return std::nullopt;
    step_->applied.resize(self + 1);
    return misread(self,
                   {python_error("RuntimeError",
                                 {"Error during unpack(..., \"", pattern, "\"): could not split axis of size ", size,
                                  " into requested ", to_string(asked, SIZE_MAX)},
                                 error_->reason)},
                   arguments, 1);
  }
  return list_of(std::move(parts));
}

Interpreter::Result Interpreter::parsed_shape(const Form& form, const Arguments& arguments, const Expr& at) {
  const auto& pattern = std::get<std::string>(arguments.positional[1].held);
  const size_t self = step_->applied.size();
  einops_call(form, arguments, at);
  PatternSide side;
  if (auto found = read_side(pattern, 0, side, {.underscore = true}))
    return misread(self, std::move(*found), arguments, 1);
  const TensorPtr tensor = tensor_of(arguments.positional[0]);
  if (!tensor) return misread(self, no_tensor(arguments.positional[0]), arguments, 0);
  const Dims& sizes = tensor->layout.sizes;
  const auto wrong = [&](std::string_view text, Message reason) {
    return misread(self,
                   {python_error("RuntimeError", {text, ": ", pattern, " ", to_string(shape_of(*tensor), SIZE_MAX)},
                                 std::move(reason))},
                   arguments, 1);
  };
  if (std::any_of(side.dims.begin(), side.dims.end(), [](const auto& dim) { return dim.size() > 1; }))
    return wrong("Can't parse shape with composite axes", Message(Msg::einops_composed));
  const int named = static_cast<int>(side.dims.size()) - side.ellipsis, rank = sizes.size();
  if (side.ellipsis ? rank < named : rank != named)
    return wrong(side.ellipsis ? "Can't parse shape with this number of dimensions"
                               : "Can't parse shape with different number of dimensions",
                 Message(Msg::einops_rank, {named, rank}));
  const Value result = dictionary_of();
  const Dictionary& found = *dictionary_in(result);
  int d = 0;
  for (const auto& dim : side.dims) {
    if (dim.size() == 1 && is_ellipsis(dim[0])) {
      d += rank - named;
      continue;
    }
    const int64_t size = sizes[d];
    if (dim.empty() && size != 1) return wrong("Length of axis is not 1", Message(Msg::einops_mismatch, {d, size, 1}));
    if (!dim.empty() && dim[0].size > 0 && dim[0].size != size)
      return wrong("Length of anonymous axis does not match", Message(Msg::einops_mismatch, {d, size, dim[0].size}));
    if (!dim.empty() && dim[0].size == 0 && dim[0].name != "_")
      store(found, Value{std::string(dim[0].name)}, Value{size});
    ++d;
  }
  step_->applied[self].why.lines.push_back(Message(Msg::einops_parsed));
  step_->applied[self].result = frozen(result);
  return result;
}

}  // namespace stridescope
