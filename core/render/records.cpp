// Trace -> the records that real PyTorch and NumPy are recorded in (tests/oracle/README.md describes the form).
#include <algorithm>
#include <map>
#include <set>

#include "layout/access_path.h"
#include "layout/contiguity.h"
#include "layout/extent.h"
#include "layout/lookup.h"
#include "ops/call.h"
#include "ops/contents.h"
#include "ops/numpy/strings.h"
#include "ops/op.h"
#include "ops/python/dictionary.h"
#include "render/json.h"
#include "render/record_values.h"
#include "stridescope.h"

namespace stridescope {
namespace {

constexpr int64_t most_values = 512;
/// Whether so many structures have no more bytes than are written out.
bool is_short(const Structure* structure, int64_t count) {
  constexpr int64_t most_bytes = int64_t{1} << 20;
  return !structure || structure->itemsize <= most_bytes / std::max<int64_t>(count, 1);
}

/// Tensors larger than this are never listed, nor is anything beside them.
constexpr int64_t most_elements = int64_t{1} << 24;

/// Whether the program alone decides all values it makes: none random, none left uninitialised, no bits of integers
/// read as floating numbers or re-labelled in place. Of any other program no values are recorded.
bool decides_its_values(const Trace& trace) {
  for (const Step& step : trace.steps)
    for (size_t i = 0; i < step.applied.size(); ++i) {
      const Applied& applied = step.applied[i];
      if (!applied.op || applied.error) continue;
      // What is filled before anything else is done with it is decided.
      const Op* next = i + 1 < step.applied.size() ? step.applied[i + 1].op : nullptr;
      const bool filled = next && (next->summary == Msg::op_fill || next->summary == Msg::op_zero);
      const TensorPtr storage = tensor_of(applied.result);
      if (filled && storage &&
          (storage->storage->nbytes == 0 || distinct_cells(storage->layout) == storage->storage->cells()))
        continue;
      const TensorPtr made = tensor_of(applied.result);
      if (made && *numel(made->layout.sizes) > most_elements) return false;
      switch (applied.op->summary) {
        case Msg::op_randn:
        case Msg::op_np_random:
        case Msg::op_empty:
        case Msg::op_empty_strided:
        case Msg::op_np_empty:
        case Msg::op_np_empty_like:
        case Msg::op_np_set_dtype: return false;
        case Msg::op_view_dtype:
        case Msg::op_np_view:
          if (made && is_floating(made->dtype) && !is_floating(applied.inputs.front()->dtype) &&
              !is_complex(applied.inputs.front()->dtype))
            return false;
          break;
        default: break;
      }
    }
  return true;
}

/// The records of one program, in order.
class Recorder {
 public:
  explicit Recorder(const Trace& trace) : trace_(trace), with_values_(decides_its_values(trace)) {
    const auto step_at = [&](int step) { return step < 0 ? nullptr : &trace.steps[static_cast<size_t>(step)]; };
    for (const auto& [text, step] : writings(trace)) {
      const Step* of = step_at(step);  // the statement of the program that it belongs to
      for (const Step* outer = of; outer; outer = step_at(outer->inside))
        if (is_call(*outer)) of = step_at(outer->inside);
      auto& [all, known] = written_.try_emplace(of, "", true).first->second;
      all += text;
      known &= !step_at(step)->wrote_unknown;
    }
  }

  std::string run() && {
    json_.array();
    // What a call runs belongs to the statement that calls.
    std::vector<const Step*> steps;
    for (const Step& step : trace_.steps)
      if (!in_a_call(trace_, step)) steps.push_back(&step);
    size_t next = 0;
    const std::vector<Statement>& statements = trace_.program.statements;
    for (size_t i = 0; i < statements.size(); ++i) {
      const Statement& statement = statements[i];
      const bool ran = next < steps.size() && steps[next]->statement == &statement;
      const bool header = statement.kind == Statement::Kind::clause;
      if (header && ran && steps[next]->error) {  // it stands for all its lines
        i += static_cast<size_t>(statement.body + statement.rest);
      } else if (is_definition(statement)) {
        i += static_cast<size_t>(statement.body);
      } else if (header) {  // what it leads to stands for it
        next += ran ? 1 : 0;
        if (!ran || steps[next - 1]->round == 0) continue;
        i += static_cast<size_t>(statement.body);
        for (; next < steps.size() && inside(statement, *steps[next]); ++next)
          if (steps[next]->statement->kind != Statement::Kind::clause || steps[next]->error) write_step(*steps[next]);
        continue;
      }
      const bool defines = ran && is_definition(statement) && !steps[next]->error;
      if (ran && !defines)
        write_step(*steps[next++]);
      else if (defines || passes(statement) || next < steps.size())
        json_.object().put("kind", "none").end();
      else
        write_unrun();
      // A line of it that is not read is a step, whether it is called or not.
      while (is_definition(statement) && next < steps.size() && inside(statement, *steps[next])) ++next;
    }
    json_.end();
    return std::move(json_).text();
  }

 private:
  /// Whether a step is of a loop: its header again, or what is in it.
  static bool inside(const Statement& loop, const Step& step) {
    return step.statement >= &loop && step.statement <= &loop + loop.body;
  }

  /// Nothing of it is to be seen: it does nothing, or is in a block that is not run.
  bool passes(const Statement& statement) const {
    const bool stopped = !trace_.diagnostics.empty() && trace_.diagnostics.back().reason.id == Msg::too_many_operations;
    return !stopped || statement.kind == Statement::Kind::import_ || does_nothing(statement);
  }

  void write_step(const Step& step) {
    step_ = &step;
    // A record is made before its names are bound: what lives is what lived before, as the statement left it.
    for (Named& named : live_)
      for (const Named& now : step.names)
        if (now.tensor->object == named.tensor->object) named.tensor = now.tensor;
    add_kept(step);
    // Of `x += y` a record tells only what it changes.
    const bool augmented = step.statement->kind == Statement::Kind::augmented;
    json_.object();
    for (const auto& [name, value] : step.named_inside) {
      std::erase_if(live_, [&, &own = name](const Named& live) { return live.name == own; });
      if (const TensorPtr tensor = tensor_of(value)) live_.push_back({name, tensor});
    }
    if (step.error)
      write_error(*step.error);
    else
      write_value(augmented ? Value{} : step.value);
    if (!step.targets.empty() && !augmented) {
      json_.key("targets").array();
      for (const std::string& target : step.targets) json_.value(target);
      json_.end();
    }
    if (step.unpack) json_.put("unpack", true);
    if (const auto written = written_.find(&step); written != written_.end()) {
      json_.key("out");
      const auto& [text, known] = written->second;
      if (with_values_ && known)
        json_.value(text);
      else
        json_.null();
    }
    write_changes();
    json_.end();
    live_ = step.names;
  }

  /// What lists, dictionaries and objects have been given by the statement.
  void add_kept(const Step& step) {
    std::set<std::string> known;
    for (const Named& live : live_) known.insert(live.name);
    for (const Named& now : step.names) {
      const size_t owner = now.name.find_first_of(".[");
      if (owner != now.name.npos && !known.count(now.name) &&
          std::find(step.targets.begin(), step.targets.end(), now.name.substr(0, owner)) == step.targets.end())
        live_.push_back(now);
    }
  }

  void write_error(const Diagnostic& error) {
    json_.put("kind", "error");
    const auto raised = error.raised.value_or(Diagnostic::Raised{"", plain(error.reason, Language::english)});
    json_.put("type", raised.type).put("msg", raised.text);
    if (raised.parser) json_.put("parser", true);
  }

  /// A statement behind the last that was run, for the reason that the program has last.
  void write_unrun() {
    const std::string reason = plain(trace_.diagnostics.back().reason, Language::english);
    json_.object().put("kind", "error").put("type", "").put("msg", reason).end();
  }

  void write_values(const Elements& elements, const Structure* structure = nullptr) {
    const auto count = numel(elements.layout.sizes);
    const bool known = is_known(*elements.contents);
    if (!with_values_ || *count > most_values || !known || !is_short(structure, *count)) {
      json_.null();
      if (with_values_ && !known) json_.put("known", false);
      return;
    }
    json_.array();
    for (int64_t i = 0; i < *count; ++i)
      if (structure)
        write_structure(json_, *elements.contents, *structure, offset_at(elements.layout, i));
      else
        write_scalar(json_, element(elements, i));
    json_.end();
  }

  Elements elements_now(const Tensor& tensor) const {
    Elements elements = elements_of(tensor);
    elements.contents = step_->contents_of(*tensor.storage);
    return elements;
  }

  void write_value(const Value& value) {
    if (std::holds_alternative<None>(value.held)) {
      json_.put("kind", "none");
    } else if (value.of_numpy) {
      json_.put("kind", "scalar").put("dtype", to_string(*dtype_of_string(value))).key("value");
      Value text = value;
      text.of_numpy = false;
      write_plain(json_, text);
    } else if (const TensorPtr tensor = tensor_of(value); tensor && tensor->is_element) {
      const Elements now = elements_now(*tensor);
      json_.put("kind", "scalar").put("dtype", dtype_text(*tensor)).key("value");
      if (with_values_ && is_known(*now.contents) && is_short(tensor->structure.get(), 1))
        write_structure(json_, *now.contents, *tensor->structure, now.layout.storage_offset);
      else
        json_.null();
    } else if (tensor) {
      if (tensor->library == Library::torch)
        write_tensor(*tensor);
      else
        write_array(*tensor);
    } else if (const auto* scalar = std::get_if<NumpyScalar>(&value.held)) {
      json_.put("kind", "scalar").put("dtype", name(scalar->dtype())).key("value");
      write_scalar(json_, *scalar);
      if (!scalar->is_known()) json_.put("known", false);
    } else if (const auto* facet = std::get_if<Facet>(&value.held); facet && facet->name.ends_with("storage")) {
      write_storage(*facet);
    } else if (const auto* sequence = std::get_if<Sequence>(&value.held);
               sequence && sequence->kind < Sequence::Kind::range && holds_arrays(*sequence->items)) {
      json_.put("kind", "tuple").key("items").array();
      for (const Value& item : *sequence->items) {
        json_.object();
        write_value(item);
        json_.end();
      }
      json_.end();
    } else if (const Dictionary* dictionary = dictionary_in(value); dictionary && holds_arrays(parts_of(value))) {
      json_.put("kind", "dict").key("keys").array();
      for (const Value& key : dictionary->items->keys) write_plain(json_, key);
      json_.end().key("items").array();
      for (const Value& item : dictionary->items->values) {
        json_.object();
        write_value(item);
        json_.end();
      }
      json_.end();
    } else {
      json_.put("kind", "value").key("value");
      write_plain(json_, value);
    }
  }

  static bool holds_arrays(std::span<const Value> parts) {
    return std::any_of(parts.begin(), parts.end(), [](const Value& part) { return has_dtype(part) || part.of_numpy; });
  }

  void write_tensor(const Tensor& tensor) {
    const Layout& layout = tensor.layout;
    json_.put("kind", "tensor")
        .put("shape", layout.sizes)
        .put("stride", layout.strides)
        .put("offset", tensor.known_offset());
    json_.put("dtype", name(tensor.dtype)).put("itemsize", itemsize(tensor.dtype)).put("numel", *numel(layout.sizes));
    json_.put("is_contiguous", is_contiguous(layout));
    if (layout.rank() == 4) json_.put("channels_last", is_channels_last(layout));
    if (layout.rank() == 5) json_.put("channels_last_3d", is_channels_last(layout));
    json_.put("storage", number(tensor)).put("storage_nbytes", tensor.storage_nbytes()).put("is_view", tensor.is_view);
    write_relations(tensor);
  }

  void write_array(const Tensor& array) {
    const Layout& layout = array.layout;
    const int64_t unit = array.item_bytes(), size = *numel(layout.sizes);
    json_.put("kind", "array")
        .put("shape", layout.sizes)
        .put("strides", layout.strides)
        .put("offset", array.known_offset());
    json_.put("dtype", dtype_text(array))
        .put("itemsize", unit)
        .put("ndim", layout.rank())
        .put("size", size)
        .put("nbytes", size * unit);
    json_.key("flags")
        .object()
        .put("C_CONTIGUOUS", is_contiguous(layout, unit))
        .put("F_CONTIGUOUS", is_f_contiguous(layout, unit));
    json_.put("OWNDATA", !array.is_view).put("WRITEABLE", array.writeable).put("ALIGNED", is_aligned(array)).end();
    json_.put("mem", number(array)).put("mem_nbytes", array.storage_nbytes());
    write_relations(array);
  }

  /// base, same_as, shares, overlaps, values.
  void write_relations(const Tensor& tensor) {
    const auto write_name = [&](const Named* named) {
      if (named)
        json_.value(named->name);
      else
        json_.null();
    };
    const auto named = [&](int object) {
      const auto found =
          std::find_if(live_.begin(), live_.end(), [&](const Named& live) { return live.tensor->object == object; });
      return found == live_.end() ? nullptr : &*found;
    };
    json_.key("base");
    const Named* base = tensor.base < 0 ? nullptr : named(tensor.base);
    if (!tensor.is_view)
      json_.null();
    else if (tensor.base_facet && tensor.base < 0)
      json_.value("<DummyArray>");
    else
      json_.value(base && !tensor.base_facet ? base->name : "<temp>");
    json_.key("same_as");
    write_name(named(tensor.object));

    // Of the same library only: the other's objects are not looked for.
    const bool numpy = tensor.library == Library::numpy;
    const auto write_names = [&](const char* key, auto holds) {
      json_.key(key).array();
      for (const Named& live : live_)
        if (live.tensor->object != tensor.object && live.tensor->library == tensor.library &&
            live.tensor->storage == tensor.storage && !live.tensor->is_element && holds(*live.tensor))
          json_.value(live.name);
      json_.end();
    };
    write_names("shares", [&](const Tensor& other) { return other.window == tensor.window; });
    if (numpy)
      write_names("overlaps", [&](const Tensor& other) {
        // NumPy, too, takes what is too hard to decide for shared.
        return shares_offset(tensor.layout, tensor.item_bytes(), other.layout, other.item_bytes()) != Answer::no;
      });
    json_.key("values");
    write_values(elements_now(tensor), tensor.structure.get());
  }

  void write_storage(const Facet& facet) {
    const Tensor& tensor = *facet.tensor;
    const DType dtype = facet.name == "storage" ? tensor.dtype : DType::uint8;
    const int64_t size = tensor.storage_nbytes() / itemsize(dtype);
    json_.put("kind", "storage").put("size", size).key("values");
    write_values({step_->contents_of(*tensor.storage), {{size}, {itemsize(dtype)}, tensor.storage_begin()}, dtype});
  }

  void write_changes() {
    const auto now_of = [&](const Change& change) {
      return std::find_if(step_->names.begin(), step_->names.end(),
                          [&](const Named& named) { return named.name == change.name; });
    };
    // One element of an array is a scalar, of which nothing is told.
    const auto is_told = [&](const Change& change) { return !now_of(change)->tensor->is_element; };
    if (std::none_of(step_->changed.begin(), step_->changed.end(), is_told)) return;
    json_.key("changed").object();
    for (const Change& change : step_->changed) {
      const auto now = now_of(change);
      if (now->tensor->is_element) continue;
      json_.key(change.name).object();
      json_.key("values");
      write_values(elements_now(*now->tensor), now->tensor->structure.get());
      if (change.metadata) {
        const Layout& layout = now->tensor->layout;
        json_.put("shape", layout.sizes);
        json_.put(now->tensor->library == Library::torch ? "stride" : "strides", layout.strides);
        json_.put("offset", now->tensor->known_offset());
      }
      json_.end();
    }
    json_.end();
  }

  /// Storages in order of first appearance.
  int number(const Tensor& tensor) {
    const int next = static_cast<int>(numbers_.size());
    return numbers_.try_emplace({tensor.storage->id, tensor.window.get()}, next).first->second;
  }

  const Trace& trace_;
  const bool with_values_;
  /// What each wrote, with what it calls, and whether all of that is known.
  std::map<const Step*, std::pair<std::string, bool>> written_;
  const Step* step_ = nullptr;
  std::vector<Named> live_;                                    ///< before the step's names are bound
  std::map<std::pair<int, const StoragePart*>, int> numbers_;  ///< storage -> identity
  Json json_;
};

}  // namespace

std::string records(const Trace& trace) { return Recorder(trace).run(); }

}  // namespace stridescope
