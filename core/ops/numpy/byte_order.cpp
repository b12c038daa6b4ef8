// Arrays of such numbers, and what rows of the machine's own numbers make of them.
#include "ops/numpy/byte_order.h"

#include <algorithm>
#include <numeric>

#include "layout/access_path.h"
#include "ops/numpy/ufunc.h"
#include "ops/torch/torch.h"

namespace stridescope {

bool is_swapped(const Tensor& array) { return array.structure && array.structure->is_swapped(); }

namespace {

/// Byte after byte of numbers that begin where the layout leads: of each part of a complex one by itself, the last
/// first where they are `turned`. False where that has too many dimensions.
bool add_bytes(Layout& layout, DType number, bool turned) {
  const int64_t unit = itemsize(number), part = is_complex(number) ? unit / 2 : unit;
  if (layout.sizes.size() + 2 > max_rank) return false;
  layout.sizes.push_back(unit / part), layout.strides.push_back(part);
  layout.sizes.push_back(part), layout.strides.push_back(turned ? -1 : 1);
  if (turned) layout.storage_offset += part - 1;
  return true;
}

/// The bytes of those numbers, each number's turned round.
ContentsPtr turned(const ContentsPtr& contents, Layout layout, DType number) {
  const int64_t count = numel(layout.sizes).value_or(0);
  if (count == 0) return constant_contents({DType::uint8}, 0);
  ContentsPtr bytes =
      add_bytes(layout, number, true) ? gather({contents, std::move(layout), DType::uint8}, DType::uint8) : nullptr;
  return bytes ? bytes : unknown_contents(DType::uint8, count * itemsize(number));
}

/// How far apart numbers stand, at least, if none of them begins within another: a row of the memory for each.
std::optional<int64_t> pitch_of(const Layout& layout, int64_t unit) {
  int64_t pitch = 0;
  for (int d = 0; d < layout.rank(); ++d)
    if (layout.sizes[d] > 1) pitch = std::gcd(pitch, layout.strides[d]);
  if (pitch == 0 || (pitch % unit == 0 && layout.storage_offset % unit == 0)) pitch = unit;
  return pitch >= unit ? std::optional(pitch) : std::nullopt;
}

}  // namespace

Tensor native(const Tensor& array) {
  if (!is_swapped(array)) return array;
  const DType number = array.structure->number;
  const int64_t unit = itemsize(number), count = count_of(array), have = array.storage->nbytes;
  Tensor made = array;
  made.dtype = number;
  made.structure = nullptr;
  made.storage = std::make_shared<Storage>(*array.storage);
  made.storage->structure = nullptr;
  made.storage->dtype = number;
  made.storage->turned = true;
  const auto pitch = pitch_of(array.layout, unit);
  if (count == 0 || !pitch) {
    made.layout = {array.layout.sizes, strides_like(array, NumpyOrder::keep, unit), 0};
    made.storage->contents = turned(array.storage->contents, permute(array.layout, cell_order(made.layout)), number);
    made.storage->nbytes = count * unit;
    return made;
  }
  const int64_t first = array.layout.storage_offset % *pitch, rows = (have - first - unit) / *pitch + 1;
  made.storage->contents = turned(array.storage->contents, {{rows}, {*pitch}, first}, number);
  made.storage->nbytes = rows * unit;
  for (int64_t& stride : made.layout.strides) stride = stride / *pitch * unit;
  made.layout.storage_offset = array.layout.storage_offset / *pitch * unit;
  return made;
}

namespace {

/// A new array of such numbers, laid out so, with the elements of an array of numbers.
Value made_swapped(Call& call, const Tensor& numbers, const Layout& target, const StructurePtr& swapped,
                   Relation relation) {
  const DType number = swapped->number;
  const int64_t count = count_of(numbers);
  Elements from = elements_of(numbers);
  from.layout = permute(from.layout, cell_order(target));
  ContentsPtr packed = gather(from, number);
  if (!packed) packed = unknown_contents(number, count);
  return call.fresh(of_structure(swapped), target, turned(packed, {{count}, {itemsize(number)}, 0}, number), relation);
}

/// What was written among the numbers goes back into the array that they were read from.
void give_back(Call& call, const Tensor& array, const Tensor& numbers) {
  const DType number = array.structure->number;
  Tensor bytes = array;
  bytes.structure = nullptr;
  bytes.dtype = DType::uint8;
  Elements from{numbers.storage->contents, numbers.layout, DType::uint8};
  if (!add_bytes(bytes.layout, number, false) || !add_bytes(from.layout, number, true))
    return void(refuse_elements(call, *array.structure));
  if (!call.failed()) return call.write(bytes, from);
  // As much as was written before it failed.
  std::vector<std::pair<int64_t, Scalar>> writes;
  if (!is_known(*from.contents) || !is_quick(from, *numel(from.layout.sizes))) return call.write_unknown(bytes);
  for (int64_t i = 0; i < *numel(from.layout.sizes); ++i)
    writes.emplace_back(offset_at(bytes.layout, i), element(from, i));
  call.write(bytes, writes);
}

/// The library's error names the dtype that it was given.
void name_swapped(Call& call, const Structure& swapped) {
  if (!call.failed()) return;
  call.rename("dtype(" + quoted(std::string(name(swapped.number))) + ")", "dtype(" + quoted(to_string(swapped)) + ")");
}

}  // namespace

TensorRef as_swapped(Call& call, const Tensor& array, const StructurePtr& swapped) {
  const Layout target = owned_layout(call, array.layout.sizes, swapped->itemsize);
  if (call.failed()) return nullptr;
  const Value made = made_swapped(call, native(array), target, swapped, Relation::fresh);
  return call.failed() ? nullptr : std::get<TensorRef>(made.held);
}

Value recast(Call& call, const Tensor& array, const AskedDtype& asked, NumpyOrder order) {
  const Tensor numbers = native(array);
  const DType number = asked.structure ? asked.structure->number : *asked.dtype;
  owned_layout(call, array.layout.sizes, int64_t{itemsize(number)});
  if (call.failed()) return {};
  const Layout target{array.layout.sizes, strides_like(array, order, itemsize(number)), 0};
  Tensor like = array;
  like.layout = target, like.dtype = number, like.structure = asked.structure;
  explain_copy(call, like);
  call.why(Msg::np_converted, {dtype_text(array), dtype_text(like)});
  if (numbers.dtype == number) call.why(Msg::np_bytes_turned, {itemsize(number)});
  return asked.structure ? made_swapped(call, numbers, target, asked.structure, Relation::copy)
                         : call.copy(numbers, target, number);
}

void write_swapped(Call& call, const Tensor& target, const Value& value,
                   void (*write)(Call& call, const Tensor& target, const Value& value)) {
  const Tensor numbers = native(target);
  const ContentsPtr before = numbers.storage->contents;
  write(call, numbers, value);
  const bool failed = call.failed();
  name_swapped(call, *target.structure);
  if (numbers.storage->contents == before) return;
  if (!failed) call.why(Msg::np_bytes_turned, {unit_of(target)});
  give_back(call, target, numbers);
}

namespace {

std::string_view word_of(const Call& call) { return call.name().substr(call.name().rfind('.') + 1); }

/// What rows make of such numbers that are none of those that move bytes, or reckon and give what is the machine's.
/// By the words of their names; a test holds them to the table.
constexpr std::pair<SwappedRows, std::string_view> named_rows[] = {
    {SwappedRows::reckon,
     "concatenate concat stack vstack row_stack hstack dstack column_stack append block resize "
     "where tolist item copyto fill"},
    {SwappedRows::look, "real imag data ctypes __array_interface__"},
    {SwappedRows::give_back, "sort unique unique_values partition pad gradient nan_to_num byteswap diagflat setdiff1d"},
    {SwappedRows::make,
     "arange linspace logspace geomspace eye identity tri fromiter indices concatenate concat stack "
     "vstack row_stack hstack"},
    {SwappedRows::take_number, "cumsum cumprod nancumsum nancumprod"},
    {SwappedRows::want_none, "sum prod mean std var"},
    {SwappedRows::ask, "result_type promote_types issubdtype isdtype finfo can_cast"},
    {SwappedRows::unruly, "nditer nanquantile nanpercentile pinv at ediff1d linspace"},
};

bool is_one_of(std::string_view word, std::string_view words) {
  for (size_t at = words.find(word); at != words.npos; at = words.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) return !word.empty();
  }
  return false;
}

bool is(SwappedRows kind, const Call& call) {
  const bool named = is_one_of(word_of(call), swapped_rows(kind));
  // Whether they are the same to the byte is asked of byte orders, too.
  return named && !(kind == SwappedRows::ask && to_string(call.value("casting")) == "'no'");
}

/// Whether it cannot be told which dtype the row hands back, or what it writes.
bool is_unruly(Call& call) {
  const bool masked = call.given("out") && !(call.argument("where") == Span{});
  const bool rounds =
      is_one_of(word_of(call), "round around") && call.given("decimals") && call.integer("decimals") != 0;
  return is(SwappedRows::unruly, call) || masked || rounds || to_string(call.value("casting")) == "'no'";
}

/// Parameters that say where, not what.
bool says_where(std::string_view parameter) { return is_one_of(parameter, "key indices obj condition repeats"); }

/// Whether the row moves elements as bytes.
bool moves(const Call& call) {
  const Op& row = *call.form().op;
  const bool knows = row.structured > Op::Structured::none && row.structured < Op::Structured::ordered;
  return is(SwappedRows::look, call) || (knows && !is(SwappedRows::reckon, call));
}

/// Whether it is of such numbers, or, where that is asked for too, such a dtype; or a list with one in it.
bool holds_swapped(const Value& value, bool dtypes) {
  const TensorPtr array = tensor_of(value);
  const auto* sequence = std::get_if<Sequence>(&value.held);
  return (array && is_swapped(*array)) || (dtypes && read_swapped_dtype(value)) ||
         (sequence && (sequence->kind == Sequence::Kind::list || is_tuple(sequence->kind)) &&
          std::any_of(sequence->items->begin(), sequence->items->end(),
                      [&](const Value& item) { return holds_swapped(item, dtypes); }));
}

/// The arguments of one call with other numbers in place of theirs.
class Exchanged {
 public:
  /// `dtypes`: in place of dtypes too.
  Exchanged(Call& call, bool dtypes) : call_(call), dtypes_(dtypes) {}

  void value(Value& value) {
    if (const auto* sequence = std::get_if<Sequence>(&value.held); sequence && holds_swapped(value, dtypes_)) {
      Sequence other = *sequence;
      auto items = std::make_shared<std::vector<Value>>(*sequence->items);
      for (Value& item : *items) this->value(item);
      other.items = std::move(items);
      value = {std::move(other)};
    }
    if (const StructurePtr swapped = dtypes_ ? read_swapped_dtype(value) : nullptr)
      return void(value = dtype_object(swapped->number));
    const auto* array = std::get_if<TensorRef>(&value.held);
    if (!array || !is_swapped(*(*array)->tensor)) return;
    for (const One& one : all_)
      if (one.array == *array) return void(value = Value{one.numbers});
    const Tensor numbers = native(*(*array)->tensor);
    const TensorRef ref = nameless(numbers);
    all_.push_back({*array, ref, ref->tensor, numbers.storage->contents});
    value = Value{all_.back().numbers};
  }

  /// What the row wrote, where the program has it; the call is refused where it was told to be laid out otherwise.
  void hand_back() {
    for (const One& one : all_)
      if (one.numbers->tensor != one.as_made)
        refuse_elements(call_, *one.array->tensor->structure);
      else if (one.numbers->tensor->storage->contents != one.before)
        give_back(call_, *one.array->tensor, *one.numbers->tensor);
  }

  /// The program's own arrays where the result is those; new ones of `number` as `swapped` where there is such. The
  /// call is refused where a view of the numbers would be given.
  Value result(const Value& made, const StructurePtr& swapped) {
    if (const auto* sequence = std::get_if<Sequence>(&made.held)) {
      Sequence other = *sequence;
      auto items = std::make_shared<std::vector<Value>>();
      const bool all = !word_of(call_).starts_with("unique");  // else what follows are numbers of elements
      for (const Value& item : *sequence->items)
        items->push_back(result(item, all || items->empty() ? swapped : nullptr));
      other.items = std::move(items);
      return {std::move(other)};
    }
    const auto* facet = std::get_if<Facet>(&made.held);
    const TensorPtr array = facet ? facet->tensor : tensor_of(made);
    if (!array) return made;
    for (const One& one : all_) {
      if (const auto* ref = std::get_if<TensorRef>(&made.held); ref && *ref == one.numbers) return Value{one.array};
      if (array->storage == one.numbers->tensor->storage) return refuse_elements(call_, *one.array->tensor->structure);
    }
    if (!swapped || array->dtype != swapped->number || array->structure || facet) return made;
    const bool view = array->is_view && array->base_tensor;
    const Tensor& owner = view ? *array->base_tensor : *array;
    const Value turned = made_swapped(call_, owner, owner.layout, swapped, call_.relation());
    return call_.failed() || !view ? turned : call_.view(*tensor_of(turned), array->layout);
  }

  /// Of the first of them, if there is one.
  StructurePtr structure() const { return all_.empty() ? nullptr : all_.front().array->tensor->structure; }

 private:
  struct One {
    TensorRef array, numbers;
    TensorPtr as_made;
    ContentsPtr before;
  };
  Call& call_;
  bool dtypes_;
  std::vector<One> all_;
};

}  // namespace

std::string_view swapped_rows(SwappedRows kind) {
  return std::find_if(std::begin(named_rows), std::end(named_rows), [&](const auto& one) { return one.first == kind; })
      ->second;
}

Value refuse_swapped(Call& call, const Tensor& array) {
  if (!is_one_of(word_of(call), "from_numpy tensor as_tensor asarray")) return refuse_elements(call, *array.structure);
  Dims strides = array.layout.strides;
  if (!count_in_elements(call, strides, unit_of(array))) return {};
  return call.fail("ValueError",
                   "given numpy array has byte order different from the native byte order. Conversion between byte "
                   "orders is currently not supported.",
                   Msg::np_swapped_foreign, {dtype_text(array)});
}

bool reckons_native(Call& call) {
  bool any = false, found = false;
  call.each_argument([&](std::string_view, const Value& value) { any |= holds_swapped(value, true); });
  if (!any) return false;
  const bool moved = moves(call), dtypes = is(SwappedRows::ask, call);
  const bool asks =
      is(SwappedRows::make, call) || is(SwappedRows::take_number, call) || is(SwappedRows::want_none, call);
  call.each_argument([&](std::string_view parameter, const Value& value) {
    found |= holds_swapped(value, dtypes) && (!moved || says_where(parameter));
    found |= asks && parameter == "dtype" && read_swapped_dtype(value);
  });
  return found;
}

Value apply_native(Call& call) {
  const bool moved = moves(call), dtypes = is(SwappedRows::ask, call), makes = is(SwappedRows::make, call);
  const TensorPtr first = tensor_of(call.first());
  const bool gives_back = is(SwappedRows::give_back, call) && first && is_swapped(*first);
  Exchanged exchanged(call, dtypes);
  StructurePtr asked;
  call.each_argument([&](std::string_view parameter, Value& value) {
    if (!moved || says_where(parameter)) exchanged.value(value);
    const StructurePtr swapped = parameter == "dtype" ? read_swapped_dtype(value) : nullptr;
    if (swapped && makes) asked = swapped;
    if (swapped && (makes || is(SwappedRows::take_number, call))) value = dtype_object(swapped->number);
  });
  const StructurePtr given = exchanged.structure();
  if (given && is_unruly(call)) return refuse_elements(call, *given);
  if (is(SwappedRows::want_none, call) && read_swapped_dtype(call.value("dtype"))) return refuse_ufunc_dtype(call);
  const Value made = call.form().op->apply(call);
  if (given) name_swapped(call, *given);
  exchanged.hand_back();
  if (call.failed()) return {};
  const Relation relation = call.relation();
  const Value result = exchanged.result(made, asked ? asked : gives_back ? given : nullptr);
  if (call.failed()) return {};
  call.relation(relation);
  if (asked)
    call.why(Msg::np_swapped_made, {to_string(*asked), asked->itemsize});
  else if (given)
    call.why(Msg::np_swapped_read, {to_string(*given), given->itemsize});
  return result;
}

}  // namespace stridescope
