// What there is to ask of an array: numbers, flags, base.
#include <algorithm>

#include "layout/access_path.h"
#include "ops/explanation.h"
#include "ops/layout_words.h"
#include "ops/lent_memory.h"
#include "ops/numpy/structured.h"
#include "ops/python/python.h"
#include "ops/rows.h"

namespace stridescope {

std::optional<Tensor> asked(Call& call, const Value& value) {
  // x.flags tells of the array as it is when asked.
  if (const auto* facet = std::get_if<Facet>(&value.held))
    return facet->tensor->object < 0 ? *facet->tensor : *call.object_of(*facet->tensor)->tensor;
  const TensorRef array = as_array(call, value);
  call.relation(Relation::none);
  return array ? std::optional(*array->tensor) : std::nullopt;
}

namespace {

std::optional<Tensor> asked(Call& call) { return asked(call, call.first()); }

template <class Answer>
Value answer(Call& call, Answer make) {
  const auto array = asked(call);
  if (!array) return {};
  return {make(*array)};
}

void explain_sizes(Call& call, const Tensor& array) {
  for (int d = 0; d < array.layout.rank(); ++d)
    call.why(Msg::np_size_of, {Slot{d, call.axis(array, d)}, array.layout.sizes[d]});
}

Value size(Call& call) {
  const auto array = asked(call);
  if (!array) return {};
  const Dims& sizes = array->layout.sizes;
  if (!call.given("axis")) {
    if (sizes.empty())
      call.why(Msg::numel_scalar);
    else
      call.why(Msg::numel_is, {product_text(sizes, count_of(*array))});
    return {count_of(*array)};
  }
  const int64_t axis = call.integer("axis");
  if (call.failed()) return {};
  if (axis < -sizes.size() || axis >= sizes.size())
    return call.about("axis").fail("IndexError", "tuple index out of range", Msg::np_axis_out_of_range,
                                   {axis, sizes.size()});
  const int d = static_cast<int>(axis < 0 ? axis + sizes.size() : axis);
  call.why(Msg::np_size_of, {Slot{d, call.axis(*array, d)}, sizes[d]});
  return {sizes[d]};
}

Value tolist(Call& call) {
  const auto array = asked(call);
  return array->structure ? structures_as_tuples(call, *array) : call.numbers(elements_of(*array));
}

Value item(Call& call) {
  const auto array = asked(call);
  const Sequence& args = std::get<Sequence>(call.value("args").held);
  if (args.items->size() > 1 && static_cast<int>(args.items->size()) != array->layout.rank())
    return call.fail("ValueError", "incorrect number of indices for array", Msg::np_too_many_indices,
                     {array->layout.rank(), static_cast<int64_t>(args.items->size())});
  if (args.kind == Sequence::Kind::list || std::any_of(args.items->begin(), args.items->end(), [](const Value& index) {
        const TensorPtr inner = tensor_of(index);
        return std::holds_alternative<bool>(index.held) || (inner && inner->layout.rank() > 0);
      }))
    return call.fail_parser("an integer is required", Msg::np_not_an_integer,
                            {args.kind == Sequence::Kind::list ? "list" : "bool"});
  const auto list = integer_list(call, call.value("args"));
  if (!list) return {};
  const int64_t count = count_of(*array);
  int64_t position = 0;
  const int rank = array->layout.rank();
  if (list->empty()) {
    if (count != 1)
      return call.fail("ValueError", "can only convert an array of size 1 to a Python scalar", Msg::np_item_size,
                       {count});
  } else if (list->size() == 1 && rank != 1) {
    position = list->front() < 0 ? list->front() + count : list->front();
    if (position < 0 || position >= count)
      return call.fail("IndexError", {"index ", list->front(), " is out of bounds for size ", count},
                       Msg::sequence_index_out_of_range, {list->front(), count});
  } else {
    for (int d = 0; d < rank; ++d) {
      const int64_t size = array->layout.sizes[d], index = (*list)[static_cast<size_t>(d)];
      if (index < -size || index >= size)
        return call.fail("IndexError", {"index ", index, " is out of bounds for axis ", d, " with size ", size},
                         Msg::np_index_out_of_bounds, {index, d, size});
      position = position * size + (index < 0 ? index + size : index);
    }
  }
  if (!array->structure) return call.number(element(elements_of(*array), position));
  Tensor one = *array;
  one.layout = {{}, {}, offset_at(array->layout, position)};
  return structures_as_tuples(call, one);
}

Value base(Call& call) {
  if (std::holds_alternative<NumpyScalar>(call.value("x").held)) return call.why(Msg::np_base_none), Value{};
  const auto array = asked(call);
  if (!array->is_view) return call.why(Msg::np_base_none), Value{};
  if (array->base_facet && array->base_facet == std::string_view("nditer"))
    return call.refuse(Msg::not_modelled, {"NumPy", "base of what nditer gives"});
  if (array->base_facet)
    return call.why(array->base < 0 ? Msg::np_base_dummy : Msg::np_base_memory),
           Value{Facet{array->base_facet, array->base_tensor}};
  if (const auto bytes = array->base_tensor ? std::nullopt : call.bytes_in(*array->storage))
    return call.why(Msg::np_bytes_read_only), *bytes;
  if (!array->base_tensor) return call.why(Msg::np_base_none), Value{};
  call.why(Msg::np_base, {array->storage->nbytes});
  call.relation(Relation::same);
  return as_lender(call, call.object_of(*array->base_tensor));
}

std::string lowered(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter; });
  return name;
}

/// One of NumPy's flags by either of its names.
std::optional<bool> flag(const Tensor& array, const std::string& written) {
  const std::string name = lowered(written);
  const int64_t unit = unit_of(array);
  const bool c = is_contiguous(array.layout, unit), f = is_f_contiguous(array.layout, unit),
             aligned = is_aligned(array), behaved = aligned && array.writeable;
  if (name == "c_contiguous" || name == "contiguous" || name == "c") return c;
  if (name == "f_contiguous" || name == "f") return f;
  if (name == "fortran") return f;
  if (name == "fnc") return f && !c;
  if (name == "forc") return f || c;
  if (name == "owndata" || name == "o") return !array.is_view;
  if (name == "writeable" || name == "w") return array.writeable;
  if (name == "aligned" || name == "a") return aligned;
  if (name == "writebackifcopy" || name == "x") return false;
  if (name == "behaved" || name == "b") return behaved;
  if (name == "carray" || name == "ca") return behaved && c;
  // As NumPy has it: any of the three will do.
  if (name == "farray" || name == "fa") return (aligned || array.writeable || f) && !c;
  return std::nullopt;
}

/// The flags that ask how the array is packed show the walk that answers them.
void explain_flag(Call& call, const Tensor& array, const std::string& written) {
  const std::string name = lowered(written);
  const auto among = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const bool either = among({"fnc", "forc", "carray", "ca", "farray", "fa"});
  const bool c = either || among({"c_contiguous", "contiguous", "c"});
  const bool f = either || among({"f_contiguous", "fortran", "f"});
  if (!c && !f) return;
  if (count_of(array) == 0) return call.why(Msg::np_walk_empty);
  if (c) {
    call.why(Msg::np_walk_c, {unit_of(array)});
    explain_packed(call, array, c_order(array.layout.rank()));
  }
  if (f) {
    call.why(Msg::np_walk_f, {unit_of(array)});
    explain_packed(call, array, fortran_order(array.layout.rank()));
  }
}

Value answer_flag(Call& call, const Tensor& array, const std::string& name, bool held) {
  call.why(Msg::np_flag_is, {name, held ? "True" : "False"});
  explain_flag(call, array, name);
  return {held};
}

Value flag_attribute(Call& call) {
  const auto array = asked(call, call.value("x"));
  const std::string name(call.name().substr(call.name().find('.') + 1));
  return answer_flag(call, *array, name, *flag(*array, name));
}

Value flag_item(Call& call) {
  const auto array = asked(call, call.value("x"));
  const auto* name = std::get_if<std::string>(&call.value("key").held);
  if (name && std::any_of(name->begin(), name->end(), [](char letter) { return letter >= 'a' && letter <= 'z'; }))
    name = nullptr;
  const auto held = name ? flag(*array, *name) : std::nullopt;
  if (!held) return call.fail("KeyError", "'Unknown flag'", Msg::np_unknown_flag, {to_string(call.value("key"))});
  return answer_flag(call, *array, *name, *held);
}

/// Gives the array its WRITEABLE flag, which may be raised only where the memory's owner may be written.
Value set_writeable(Call& call, const TensorRef& array, const Outcome& asked) {
  if (asked.problem) {
    const auto& raised = *asked.problem->raised;
    return call.about("write").fail("ValueError", raised.text, asked.problem->reason);
  }
  const bool write = std::get<bool>(asked.value.held);
  Tensor changed = *array->tensor;
  if (write && changed.is_view) {
    const Value base = call.base_of(changed);
    const TensorPtr owner = tensor_of(base);
    if (!owner || !owner->writeable) {
      call.fail("ValueError", "cannot set WRITEABLE flag to True of this array", Msg::np_cannot_set_writeable);
      call.hint(Msg::np_hint_readonly);
      return {};
    }
  }
  call.why(write ? Msg::np_writeable_on : Msg::np_writeable_off);
  changed.writeable = write;
  changed.write_warns = false;
  array->tensor = std::make_shared<const Tensor>(std::move(changed));
  return {};
}

/// Gives the array its ALIGNED flag, which may be raised only where that is so.
Value set_aligned(Call& call, const TensorRef& array, bool aligned) {
  Tensor changed = *array->tensor;
  changed.told_unaligned = !aligned;
  if (!is_aligned(changed) && aligned)
    return call.fail("ValueError", "cannot set aligned flag of mis-aligned array to True", Msg::np_not_aligned);
  call.why(Msg::np_aligned_set, {aligned ? "True" : "False"});
  array->tensor = std::make_shared<const Tensor>(std::move(changed));
  return {};
}

Value setflags(Call& call) {
  if (!tensor_of(call.value("x"))) return {};  // a scalar passes over what it is told
  const TensorRef source = receiver(call);
  const bool aligned = call.truth("align");
  if (!call.failed() && call.given("align")) set_aligned(call.about("align"), source, aligned);
  if (!call.failed() && call.given("uic") && call.truth("uic"))
    return call.about("uic").fail("ValueError", "cannot set WRITEBACKIFCOPY flag to True", Msg::np_flag_off_only);
  if (call.failed() || !call.given("write")) return {};
  return set_writeable(call, source, truth(call.value("write")));
}

/// x.flags.writeable = value, and x.flags.aligned
Value set_flag(Call& call, bool aligned) {
  const TensorPtr array = std::get<Facet>(call.value("x").held).tensor;
  if (array->object < 0)
    return call.about_receiver().fail("ValueError", "Cannot set flags on array scalars.", Msg::np_scalar_stays,
                                      {name(array->dtype)});
  const TensorRef& object = call.object_of(*array);
  if (!aligned) return set_writeable(call, object, truth(call.value("value")));
  const bool wanted = call.truth("value");
  return call.failed() ? Value{} : set_aligned(call, object, wanted);
}

/// x.flags['WRITEABLE'] = value
Value set_flag_item(Call& call) {
  const auto* key = std::get_if<std::string>(&call.value("key").held);
  if (key && (*key == "WRITEABLE" || *key == "W")) return set_flag(call, false);
  if (key && (*key == "ALIGNED" || *key == "A")) return set_flag(call, true);
  return call.fail("KeyError", "'Unknown flag'", Msg::np_unknown_flag, {to_string(call.value("key"))});
}

}  // namespace

std::string flags_text(const Tensor& array) {
  std::string text;
  for (const std::string name : {"C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE", "ALIGNED", "WRITEBACKIFCOPY"})
    text += "  " + name + " : " + (*flag(array, name) ? "True" : "False") + "\n";
  return text;
}

namespace {

/// How many variables hold the array itself, and how many its memory by another object.
std::pair<int, int> holders(const Call& call, const TensorRef& array) {
  int names = 0, others = 0;
  const auto see = [&](const Tensor& tensor) { others += tensor.storage == array->tensor->storage ? 1 : 0; };
  const auto look = [&](const auto& self, const Value& value) -> void {
    if (const auto* object = std::get_if<TensorRef>(&value.held))
      *object == array ? void(++names) : see(*(*object)->tensor);
    if (const auto* facet = std::get_if<Facet>(&value.held)) see(*facet->tensor);
    if (const auto* sequence = std::get_if<Sequence>(&value.held))
      for (const Value& item : *sequence->items) self(self, item);
  };
  for (const auto& [name, value] : call.source().bindings) look(look, value);
  return {names, others};
}

}  // namespace

bool is_referenced(const Call& call, const TensorRef& array) {
  const auto [names, others] = holders(call, array);
  return names + 2 * others > 1;
}

bool has_views(const Call& call, const TensorRef& array) { return holders(call, array).second > 0; }

bool is_aligned(const Tensor& array) {
  const int64_t unit =
      array.structure ? array.structure->alignment : unit_of(array) / (is_complex(array.dtype) ? 2 : 1);
  if (array.told_unaligned) return false;
  if (count_of(array) == 0) return true;
  for (int d = 0; d < array.layout.rank(); ++d)
    if (array.layout.sizes[d] > 1 && array.layout.strides[d] % unit != 0) return false;
  return array.layout.storage_offset % unit == 0;
}

std::span<const Op> numpy_query_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "x.shape\nnp.shape(a)", Msg::op_np_shape, "", "x = np.zeros((2, 3))\nx.shape",
       [](Call& call) {
         return answer(call, [&](const Tensor& array) {
           explain_sizes(call, array);
           return tuple_of(array.layout.sizes).held;
         });
       },
       Op::Structured::elements},
      {Library::numpy, "x.strides", Msg::op_np_strides, "bytes from one element to the next along each axis",
       "x = np.zeros((2, 3))\nx.strides",
       [](Call& call) {
         return answer(call, [&](const Tensor& array) {
           for (int d = 0; d < array.layout.rank(); ++d)
             call.why(Msg::np_stride_of, {Slot{d, call.axis(array, d)}, array.layout.strides[d],
                                          elements_text(array.layout.strides[d], unit_of(array))});
           return tuple_of(array.layout.strides).held;
         });
       },
       Op::Structured::elements},
      {Library::numpy, "x.ndim\nnp.ndim(a)", Msg::op_np_ndim, "", "x = np.zeros((2, 3))\nx.ndim",
       [](Call& call) {
         return answer(call, [&](const Tensor& array) {
           call.why(Msg::np_rank_is, {array.layout.rank(), to_string(array.layout.sizes)});
           return int64_t{array.layout.rank()};
         });
       },
       Op::Structured::elements},
      {Library::numpy, "x.size\nnp.size(a, axis=None)", Msg::op_np_size,
       "the product of the shape, or the size of one axis", "x = np.zeros((2, 3))\nx.size", size,
       Op::Structured::elements},
      {Library::numpy, "x.itemsize", Msg::op_np_itemsize, "", "x = np.zeros((2, 3))\nx.itemsize",
       [](Call& call) {
         return answer(call, [&](const Tensor& array) {
           call.why(Msg::item_size_is, {dtype_text(array), unit_of(array)});
           return unit_of(array);
         });
       },
       Op::Structured::elements},
      {Library::numpy, "x.device", Msg::op_device, "always the processor here", "x = np.arange(6)\nx.device",
       [](Call&) { return Value{std::string("cpu")}; }},
      {Library::numpy, "x.nbytes", Msg::op_np_nbytes, "size * itemsize", "x = np.zeros((2, 3))\nx.nbytes",
       [](Call& call) {
         return answer(call, [&](const Tensor& array) {
           call.why(Msg::np_nbytes_is, {count_of(array), unit_of(array), nbytes(array), array.storage->nbytes});
           return nbytes(array);
         });
       },
       Op::Structured::elements},
      {Library::numpy, "x.dtype", Msg::op_np_dtype, "", "x = np.zeros((2, 3))\nx.dtype",
       [](Call& call) {
         return answer(call, [](const Tensor& array) {
           return array.structure     ? Value{array.structure}.held
                  : array.told_little ? little_dtype_object(array.dtype).held
                                      : dtype_object(array.dtype).held;
         });
       },
       Op::Structured::elements},
      {Library::numpy, "x.base", Msg::op_np_base,
       "the array that owns the memory; None for an array that owns it itself",
       "x = np.arange(6)\ny = x[::2]\ny.base is x", base, Op::Structured::elements},
      {Library::numpy, "x.flags", Msg::op_np_flags, "", "x = np.arange(6).reshape(2, 3).T\nx.flags.f_contiguous",
       [](Call& call) -> Value {
         auto array = asked(call);
         // A scalar's flags are its own, and nobody sets them.
         if (std::holds_alternative<NumpyScalar>(call.value("x").held)) array->object = -1, array->writeable = false;
         const auto word = [&](const char* name) { return *flag(*array, name) ? "True" : "False"; };
         call.why(Msg::np_flags_are, {word("c"), word("f"), word("o"), word("w"), word("a")});
         return {Facet{"flags", std::make_shared<const Tensor>(*array)}};
       },
       Op::Structured::elements},
      {Library::numpy,
       "x.flags.c_contiguous\nx.flags.contiguous\nx.flags.f_contiguous\nx.flags.fortran\nx.flags.fnc\nx.flags.forc\nx."
       "flags.owndata\nx.flags.writeable\nx.flags.aligned\nx.flags.writebackifcopy\n"
       "x.flags.behaved\nx.flags.carray\nx.flags.farray",
       Msg::op_np_flag,
       "C: from the last axis, each stride is itemsize times the sizes behind it; sizes of 1 do not count",
       "x = np.arange(6).reshape(2, 3).T\nx.flags.c_contiguous", flag_attribute, Op::Structured::elements},
      {Library::numpy, "x.flags[key]", Msg::op_np_flag, "", "x = np.arange(6)\nx.flags['OWNDATA']", flag_item,
       Op::Structured::elements},
      {Library::numpy, "x.flags.writeable = value", Msg::op_np_set_writeable, "",
       "x = np.arange(6)\nx.flags.writeable = False", [](Call& call) { return set_flag(call, false); },
       Op::Structured::arrays},
      {Library::numpy, "x.flags.aligned = value", Msg::op_np_set_aligned, "",
       "x = np.arange(6)\nx.flags.aligned = False", [](Call& call) { return set_flag(call, true); }},
      {Library::numpy, "x.flags[key] = value", Msg::op_np_set_writeable, "",
       "x = np.arange(6)\nx.flags['WRITEABLE'] = False", set_flag_item},
      {Library::numpy, "x.setflags(write=None, align=None, uic=None)", Msg::op_np_setflags, "",
       "x = np.arange(6)\nx.setflags(write=False)", setflags, Op::Structured::arrays},
      {Library::numpy, "x.flags.num", Msg::op_np_flag, "the flags as bits", "x = np.arange(6)\nx.flags.num",
       [](Call& call) {
         return answer(call, [](const Tensor& array) {
           const auto bit = [&](const char* name, int64_t value) { return *flag(array, name) ? value : 0; };
           return bit("c", 1) + bit("f", 2) + bit("o", 4) + bit("a", 0x100) + bit("w", 0x400);
         });
       }},
      {Library::numpy, "x.item(*args=())", Msg::op_np_item, "", "x = np.arange(6).reshape(2, 3)\nx.item(1, 2)", item,
       Op::Structured::elements},
      {Library::numpy, "x.tolist()", Msg::op_np_tolist, "", "x = np.arange(6).reshape(2, 3)\nx.tolist()", tolist,
       Op::Structured::elements},
      {Library::numpy, "np.isfortran(a)", Msg::op_np_isfortran, "F-contiguous and not C-contiguous",
       "x = np.arange(6).reshape(2, 3)\nnp.isfortran(x.T)",
       [](Call& call) {
         receiver_with(call, "flags");
         if (call.failed()) return Value{};
         return answer(call, [&](const Tensor& array) {
           explain_flag(call, array, "fnc");
           return *flag(array, "fnc");
         });
       },
       Op::Structured::arrays},
  };
  return rows;
}

}  // namespace stridescope
