#include "ops/call.h"

#include <algorithm>

#include "layout/contiguity.h"
#include "layout/sorted_dims.h"
#include "layout/transform.h"
#include "ops/misfit.h"
#include "ops/numpy/byte_order.h"
#include "ops/python/python.h"
#include "ops/torch/torch.h"

namespace stridescope {
namespace {

const Value no_value{};

}  // namespace

Dims cell_order(const Layout& layout) {
  return sorted_dims(layout.rank(), [&](int a, int b) {
    // A dimension of size 1 takes no part; it must not come between others.
    if ((layout.sizes[a] == 1) != (layout.sizes[b] == 1)) return layout.sizes[a] == 1;
    return layout.strides[a] > layout.strides[b];
  });
}

std::string list_text(const Dims& dims) {
  std::string text = "[";
  for (int d = 0; d < dims.size(); ++d) {
    if (d > 0) text += ", ";
    append(text, dims[d]);
  }
  text += ']';
  return text;
}

Value tuple_of(const Dims& dims, Sequence::Kind kind) {
  std::vector<Value> items;
  items.reserve(static_cast<size_t>(dims.size()));
  for (int64_t value : dims) items.push_back({value});
  return {Sequence{kind, std::make_shared<std::vector<Value>>(std::move(items))}};
}

static Scalar only_element(const Tensor& tensor) {
  return element(elements_of(tensor.structure ? native(tensor) : tensor), 0);
}

std::optional<int64_t> as_integer(const Value& value) {
  if (const auto* number = std::get_if<int64_t>(&value.held)) return *number;
  if (const auto* truth = std::get_if<bool>(&value.held)) return *truth ? 1 : 0;
  const auto integral = [](DType dtype) { return dtype <= DType::int64; };
  if (const auto* scalar = std::get_if<NumpyScalar>(&value.held); scalar && integral(scalar->dtype()))
    return scalar->value().integer;
  const TensorPtr& tensor = tensor_of(value);
  if (tensor && integral(tensor->numbers()) && numel(tensor->layout.sizes) == 1) return only_element(*tensor).integer;
  return std::nullopt;
}

std::optional<int64_t> as_index(const Value& value) {
  const TensorPtr& array = tensor_of(value);
  return array && array->library == Library::numpy && array->layout.rank() > 0 ? std::nullopt : as_integer(value);
}

std::optional<double> as_real(const Value& value) {
  if (const auto* number = std::get_if<Float>(&value.held)) return *number;
  if (const auto integer = as_integer(value)) return static_cast<double>(*integer);
  if (const auto* scalar = std::get_if<NumpyScalar>(&value.held)) return as_real(scalar->value());
  const TensorPtr& tensor = tensor_of(value);
  if (tensor && tensor->numbers() != DType::structured && numel(tensor->layout.sizes) == 1)
    return as_real(only_element(*tensor));
  return std::nullopt;
}

std::optional<DType> as_dtype(const Value& value) {
  std::string_view path;
  if (const auto* symbol = std::get_if<Symbol>(&value.held)) path = symbol->path;
  // Python's own types stand for the widest of their kind.
  if (path == "int") return DType::int64;
  if (path == "float") return DType::float64;
  if (path == "complex") return DType::complex128;
  if (const size_t dot = path.rfind('.'); dot != std::string_view::npos) path.remove_prefix(dot + 1);
  if (path.starts_with('<')) return numpy_dtype({std::string(path)});  // is_little_dtype()
  return dtype_named(path);
}

Value dtype_object(DType dtype) { return {Symbol{"numpy.dtype." + std::string(name(dtype)), nullptr}}; }

Value little_dtype_object(DType dtype) {
  return itemsize(dtype) > 1 ? Value{Symbol{"numpy.dtype." + type_code(dtype), nullptr}} : dtype_object(dtype);
}

bool is_little_dtype(const Value& value) {
  const auto* symbol = std::get_if<Symbol>(&value.held);
  return symbol && symbol->path.starts_with("numpy.dtype.<");
}

bool is_dtype_object(const Value& value) {
  const auto* symbol = std::get_if<Symbol>(&value.held);
  return symbol && symbol->path.starts_with("numpy.dtype.");
}

int Call::slot(const char* parameter) const {
  const std::string_view name = parameter;
  for (size_t i = 0; i < first_form_.parameters.size() && i < given_.size(); ++i)
    if (first_form_.parameters[i].name == name) return static_cast<int>(i);
  for (size_t i = 0; i < form_.parameters.size(); ++i)
    if (form_.parameters[i].name == name) return static_cast<int>(i);
  return -1;
}

const Value& Call::value(const char* parameter) const {
  const int found = slot(parameter);
  return found >= 0 && given_[static_cast<size_t>(found)].value ? *given_[static_cast<size_t>(found)].value : no_value;
}

std::vector<Value> Call::arguments() const {
  std::vector<Value> values;
  for (const Bound::Given& one : given_) values.push_back(one.value.value_or(Value{}));
  return values;
}

const Value& Call::first() const { return given_.empty() ? no_value : *given_.front().value; }

bool Call::given(const char* parameter) const { return !std::holds_alternative<None>(value(parameter).held); }

Call& Call::about(const char* parameter, int item) { return about(slot(parameter), item); }

Span Call::argument(const char* parameter) const {
  const int found = slot(parameter);
  return found < 0 ? Span{} : given_[static_cast<size_t>(found)].written.argument;
}

bool Call::one_by_one(const char* parameter) const {
  const Written& written = given_[static_cast<size_t>(slot(parameter))].written;
  return !written.items.empty() && written.items.front().begin == written.argument.begin;
}

Call& Call::about(int found, int item) {
  about_.reset();
  if (found < 0) return *this;
  const Written& written = given_[static_cast<size_t>(found)].written;
  const bool inside = item >= 0 && item < static_cast<int>(written.items.size());
  if (const Span span = inside ? written.items[static_cast<size_t>(item)] : written.span; span.end > span.begin)
    about_ = span;
  return *this;
}

Call& Call::about(const Value& value) {
  about_.reset();
  for (size_t i = 0; i < given_.size(); ++i) {
    if (!given_[i].value) continue;
    const auto* sequence = std::get_if<Sequence>(&given_[i].value->held);
    int item = -1;
    for (size_t k = 0; sequence && k < sequence->items->size(); ++k)
      if (&(*sequence->items)[k] == &value) item = static_cast<int>(k);
    if (item >= 0 || &*given_[i].value == &value) return about(static_cast<int>(i), item);
  }
  return *this;
}

std::optional<Span> Call::only_argument() const {
  if (form_.kind == Form::Kind::binary || form_.kind == Form::Kind::in_place) return std::nullopt;
  if (form_.kind == Form::Kind::store) return given_.back().written.span;
  // The receiver counts only where there is nothing else; so do arguments that could be left out.
  std::optional<Span> required, optional, receiver;
  int needed = 0, more = 0;
  for (size_t i = 0; i < given_.size(); ++i) {
    if (given_[i].written.span == Span{}) continue;
    if (i == 0 && (has_receiver(first_form_.kind) ||
                   (given_[0].value && std::holds_alternative<TensorRef>(given_[0].value->held))))
      receiver = given_[i].written.span;
    else if (form_.parameters[i].fallback.empty())
      required = given_[i].written.span, ++needed;
    else
      optional = given_[i].written.span, ++more;
  }
  if (needed > 0) return needed == 1 ? required : std::nullopt;
  if (more > 0) return more == 1 ? optional : std::nullopt;
  return form_.kind == Form::Kind::method ? std::nullopt : receiver;
}

uint64_t Call::seed(const void* generator) const {
  const auto found = settings_.seeds.find({form_.op->library, generator});
  if (found == settings_.seeds.end()) return static_cast<uint64_t>(numbering_.storages);
  return (found->second.seed + 1) * 0x9E3779B97F4A7C15 + found->second.draws++ * 0xD1B54A32D192ED03;
}

void Call::set_seed(const Value& seed, const void* generator) const {
  const std::pair key(form_.op->library, generator);
  const auto* line = std::get_if<Sequence>(&seed.held);
  uint64_t whole = 0;
  for (const Value& item : line ? *line->items : std::vector<Value>{seed})
    whole = whole * 1099511628211U + static_cast<uint64_t>(as_integer(item).value_or(0));
  if (line || as_integer(seed))
    settings_.seeds[key] = {whole};
  else
    settings_.seeds.erase(key);
}

Span Call::place() const {
  if (about_) return *about_;
  if (const auto only = only_argument()) return *only;
  return form_.kind == Form::Kind::method && !(parts().name == Span{}) ? Span{parts().name.begin, applied_.span.end}
                                                                       : applied_.span;
}

Value Call::wrong_type(const char* parameter, const char* wanted) {
  if (!about_) about(parameter);
  const Value& given = value(parameter);
  const bool operates = form_.kind == Form::Kind::binary || form_.kind == Form::Kind::in_place;
  // PyTorch counts what is given without its name.
  std::optional<size_t> place;
  if (const size_t at = static_cast<size_t>(slot(parameter));
      at < given_.size() && given_[at].written.argument == given_[at].written.span &&
      !(given_[at].written.span == Span{}) && form_.op->library == Library::torch &&
      !form_.name.starts_with("torch.nn."))
    place = at + (form_.kind == Form::Kind::method ? 0 : 1);
  if (operates && given_.size() > 1 && given_[1].value)
    return fail_parser(operands_text(form_.name, first(), *given_[1].value), Msg::operands_do_not_fit,
                       {form_.name, type_name(first()), type_name(*given_[1].value)});
  return fail_parser(type_text(form_, parameter, place, wanted, given), Msg::argument_has_type,
                     {parameter, wanted, type_name(given)});
}

bool Call::lists_fit() {
  for (size_t k = 0; k < given_.size(); ++k) {
    const auto* list = given_[k].value ? std::get_if<Sequence>(&given_[k].value->held) : nullptr;
    if (!list || list->items->size() <= static_cast<size_t>(max_rank) || !form_.parameters[k].type.starts_with("int"))
      continue;
    return about(static_cast<int>(k), -1).refuse(Msg::too_many_dims, {max_rank}), false;
  }
  return true;
}

std::vector<TensorRef> Call::tensors(const char* parameter) {
  std::vector<TensorRef> result;
  for (const Value& item : *std::get<Sequence>(value(parameter).held).items) {
    const auto* tensor = std::get_if<TensorRef>(&item.held);
    if (!tensor || (*tensor)->tensor->library == Library::numpy) {
      about(item).fail_parser({"expected Tensor as element ", result.size(), " in argument ", slot(parameter),
                               ", but got ", attribute_type(item)},
                              Msg::argument_has_type, {parameter, "tuple of Tensors", type_name(item)});
      return {};
    }
    result.push_back(*tensor);
  }
  return result;
}

int64_t Call::integer(const char* parameter) {
  if (const TensorPtr& array = tensor_of(value(parameter));
      array && array->library == Library::numpy && array->layout.rank() > 0) {
    about(parameter).fail_parser("only integer scalar arrays can be converted to a scalar index",
                                 Msg::argument_has_type, {parameter, "int", type_name(value(parameter))});
    return 0;
  }
  if (const auto number = as_integer(value(parameter))) return *number;
  wrong_type(parameter, "int");
  return 0;
}

double Call::real(const char* parameter) const {
  const auto* pair = std::get_if<ComplexFloat>(&value(parameter).held);
  return pair ? pair->real() : *as_real(value(parameter));
}

bool Call::boolean(const char* parameter) const { return *as_integer(value(parameter)) != 0; }

bool Call::truth(const char* parameter) { return truth(parameter, value(parameter)); }

bool Call::truth(const char* parameter, const Value& made) {
  const Outcome held = stridescope::truth(made);
  if (!held.problem) return std::get<bool>(held.value.held);
  const Diagnostic::Raised& raised = *held.problem->raised;
  about(parameter).fail(raised.type.c_str(), raised.text, held.problem->reason);
  return false;
}

Dims Call::ints(const char* parameter) {
  Dims dims;
  const Value& given_value = value(parameter);
  if (const auto number = as_integer(given_value)) return {*number};
  const auto& items = *std::get<Sequence>(given_value.held).items;
  if (items.size() > static_cast<size_t>(max_rank))
    return about(parameter).refuse(Msg::too_many_dims, {max_rank}), dims;
  for (const Value& item : items) dims.push_back(*as_integer(item));
  return dims;
}

std::optional<DType> Call::dtype(const char* parameter) {
  if (!given(parameter)) return std::nullopt;
  const auto found = as_dtype(value(parameter));
  if (!found) wrong_type(parameter, "torch.dtype");
  return found;
}

MemoryFormat Call::format(const char* parameter, MemoryFormat fallback) const {
  if (!given(parameter)) return fallback;
  const std::string& path = std::get<Symbol>(value(parameter).held).path;
  return path == "torch.contiguous_format" ? MemoryFormat::contiguous
         : path == "torch.preserve_format" ? MemoryFormat::preserve
         : path == "torch.channels_last"   ? MemoryFormat::channels_last
                                           : MemoryFormat::channels_last_3d;
}

int Call::wrap(int64_t dim, int rank, bool scalar_has_none, const char* parameter, int item) {
  if (rank == 0 && scalar_has_none) {
    about(parameter, item)
        .fail("IndexError", {"Dimension specified as ", dim, " but tensor has no dimensions"}, Msg::scalar_has_no_dims,
              {dim});
    return 0;
  }
  const int count = std::max(rank, 1);
  if (dim >= -count && dim < count) return static_cast<int>(dim < 0 ? dim + count : dim);
  about(parameter, item)
      .fail("IndexError",
            {"Dimension out of range (expected to be in range of [", -count, ", ", count - 1, "], but got ", dim, ")"},
            rank == 0 ? Msg::dim_out_of_range_scalar : Msg::dim_out_of_range, {dim, rank, -count, count - 1});
  return 0;
}

Dims Call::dims(const char* parameter) {
  Dims result = ints(parameter);
  for (int k = 0; k < result.size(); ++k) {
    if (failed()) return {};
    result[k] = wrap(result[k], self().layout.rank(), false, parameter, k);
  }
  return result;
}

void Call::attempt(const Tensor& tensor, const Dims& requested, const Dims& sizes, Order order) {
  applied_.attempt = std::make_shared<const ViewAttempt>(ViewAttempt{shared(tensor), requested, sizes, order});
}

TensorPtr Call::shared(const Tensor& tensor) const {
  for (const TensorPtr& input : applied_.inputs)
    if (input.get() == &tensor) return input;
  return std::make_shared<const Tensor>(tensor);
}

void Call::why(Msg message, const Slots& slots) { why(Message(message, slots)); }
void Call::why(Message message) {
  if (applied_.why.lines.empty()) applied_.why.lines.reserve(6);
  applied_.why.lines.push_back(std::move(message));
}

void Call::headline(Msg message, const Slots& slots) {
  applied_.why.lines.insert(applied_.why.lines.begin(), Message(message, slots));
}

bool Call::unsay(size_t kept) {
  const bool more = said() > kept;
  while (said() > kept) applied_.why.lines.pop_back();  // of what failed there may be fewer
  return more;
}

Value Call::fail(const char* type, const Slots& text, Message reason) {
  if (!failed()) applied_.error = Diagnostic{place(), std::move(reason), Diagnostic::Raised{type, text.str()}, {}};
  return {};
}

Value Call::fail_parser(const Slots& text, Msg reason, const Slots& slots) {
  if (failed()) return {};
  fail("TypeError", text, reason, slots);
  applied_.error->raised->parser = true;
  return {};
}

void Call::retell(const char* type, const Slots& text) {
  if (failed() && applied_.error->raised) applied_.error->raised = Diagnostic::Raised{type, text.str()};
}

void Call::rename(std::string_view name, std::string_view other) {
  if (!applied_.error->raised) return;
  std::string& text = applied_.error->raised->text;
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + other.size()))
    text.replace(at, name.size(), other);
}

bool Call::raised(std::string_view type) const {
  return failed() && applied_.error->raised && applied_.error->raised->type == type;
}

Value Call::refuse(Msg reason, const Slots& slots) {
  if (!failed()) applied_.error = Diagnostic{place(), {reason, slots}, {}, {}};
  return {};
}

void Call::hint(Msg message, const Slots& slots, std::optional<Fix> fix) {
  hint(Message(message, slots), std::move(fix));
}
void Call::hint(Message message, std::optional<Fix> fix) {
  applied_.error->hints.push_back({std::move(message), std::move(fix)});
}

}  // namespace stridescope
