#include "ops/contents.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <variant>

#include "layout/access_path.h"
#include "layout/contiguity.h"
#include "ops/last_writer.h"

namespace stridescope {
namespace {

/// From this cost on, small contents are computed at once, as long as that takes no more than `max_eager` steps.
constexpr int64_t eager_cost = 8;
constexpr int64_t max_eager = int64_t{1} << 21;
/// Nested calls while reading, and while a chain of nodes is released.
constexpr int max_nested = 1024;
/// Of what is not known. What reads it costs as much, so it is not known either.
constexpr int64_t unknown_cost = int64_t{1} << 40;

thread_local int64_t reads_of_unknown = 0;
thread_local int64_t steps_taken = 0;  // of reading, since the thread began
thread_local int64_t steps_allowed = INT64_MAX;

/// How many steps of reading what computes at once may take: what is small is read even where none are left.
int64_t a_moment() { return std::clamp(steps_allowed - steps_taken, small_cells * eager_cost, max_eager); }

struct Unknown {};
struct Constant {
  Scalar value;
};
struct IntegerRange {
  int64_t start, step;
};
struct RealRange {
  double start, step;
};
struct Literal {
  std::vector<uint8_t> bytes;
};
struct Gather {
  Elements from;
};
struct Indexed {
  Elements from;
  std::vector<IndexedDim> dims;
};
struct Elementwise {
  Arithmetic op;
  DType common;
  std::vector<Elements> operands;
};
/// `whole` when every element of the region is exactly one cell.
struct Patch {
  ContentsPtr base;
  DType dtype;
  LastWriter writer;
  Elements value;
  bool whole;
};
/// Sorted by cell; values in the contents' dtype.
struct Scatter {
  ContentsPtr base;
  std::vector<std::pair<int64_t, Scalar>> cells;
};

}  // namespace

class Contents {
 public:
  DType dtype = DType::int64;
  int64_t cells = 0;
  int64_t cost = 1;
  int depth = 1;
  std::variant<Unknown, Constant, IntegerRange, RealRange, Literal, StandIns, Gather, Indexed, Elementwise, Patch,
               Scatter>
      node;
};

bool is_known(const Contents& contents) { return contents.cost < unknown_cost; }
Scalar read_unknown(DType dtype) { return ++reads_of_unknown, Scalar{.dtype = dtype}; }
int64_t unknown_reads() { return reads_of_unknown; }
ReadBudget::ReadBudget() : outer_(std::exchange(steps_allowed, steps_taken + most_steps)) {}
ReadBudget::~ReadBudget() { steps_allowed = outer_; }
int64_t ReadBudget::steps_read() { return steps_taken; }
void ReadBudget::spend(int64_t steps) { steps_taken += steps; }
bool is_constant(const Contents& contents) { return std::holds_alternative<Constant>(contents.node); }
bool is_random(const Contents& contents) { return std::holds_alternative<StandIns>(contents.node); }
bool is_made_up(const Contents& contents) {
  const auto* random = std::get_if<StandIns>(&contents.node);
  return random && random->distribution == Distribution::made_up;
}
int64_t cells(const Contents& contents) { return contents.cells; }
DType dtype_of(const Contents& contents) { return contents.dtype; }

namespace {

/// What is read is hardly ever seen through a lens or as another dtype, and is read millions of times.
Scalar seen(const Lens& lens, const Scalar& value) { return lens == Lens{} ? value : lens(value); }
Scalar as(const Scalar& value, DType dtype) { return value.dtype == dtype ? value : converted(value, dtype); }

/// Every element of the layout starts on a multiple of `unit` bytes.
bool aligned(const Layout& layout, int64_t unit) {
  for (int d = 0; d < layout.rank(); ++d)
    if (layout.sizes[d] > 1 && layout.strides[d] % unit != 0) return false;
  return layout.storage_offset % unit == 0;
}

/// The elements of `elements` are the cells of its contents, in order and in their own dtype.
bool is_whole(const Elements& elements) {
  return elements.lens == Lens{} && elements.dtype == elements.contents->dtype && elements.layout.storage_offset == 0 &&
         is_contiguous(elements.layout, itemsize(elements.dtype)) &&
         numel(elements.layout.sizes) == elements.contents->cells;
}

bool same_elements(const Elements& a, const Elements& b) {
  return a.contents == b.contents && a.dtype == b.dtype && a.lens == b.lens && a.layout == b.layout;
}

/// The constant that all elements are, if that is known.
const Scalar* constant_of(const Elements& elements) {
  const auto* constant = std::get_if<Constant>(&elements.contents->node);
  return constant != nullptr && elements.lens == Lens{} && elements.dtype == elements.contents->dtype &&
                 aligned(elements.layout, itemsize(elements.dtype))
             ? &constant->value
             : nullptr;
}

ContentsPtr computed(const Contents& contents) {
  const auto width = static_cast<size_t>(itemsize(contents.dtype));
  Contents result{contents.dtype, contents.cells, 1, 1, Literal{}};
  auto& bytes = std::get<Literal>(result.node).bytes;
  bytes.resize(static_cast<size_t>(contents.cells) * width);
  for (int64_t i = 0; i < contents.cells; ++i) {
    const ElementBytes one = to_bytes(cell(contents, i));
    std::copy_n(one.begin(), width, bytes.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(i) * width));
  }
  return std::make_shared<const Contents>(std::move(result));
}

/// The node itself, or the literal it stands for, or null: the rule at the top of contents.h.
ContentsPtr finished(Contents contents) {
  if (!is_known(contents)) return unknown_contents(contents.dtype, contents.cells);
  if (contents.cells <= small_cells && contents.cost > eager_cost &&
      contents.cost <= a_moment() / std::max<int64_t>(contents.cells, 1))
    return computed(contents);
  if (contents.cost > max_cost || contents.depth > max_nested) return nullptr;
  return std::make_shared<const Contents>(std::move(contents));
}

int64_t count_of(const Elements& elements) { return numel(elements.layout.sizes).value_or(0); }

Scalar element_of(const Indexed& indexed, int64_t i) {
  int64_t byte = offset_at(indexed.from.layout, i);
  for (const IndexedDim& dim : indexed.dims) {
    const int64_t index = as(element(dim.index, i), DType::int64).integer;
    byte += (index < 0 ? index + dim.size : index) * dim.stride;
  }
  return seen(indexed.from.lens, read_at(*indexed.from.contents, byte, indexed.from.dtype));
}

Scalar element_of(const Elementwise& elementwise, int64_t i) {
  std::array<Scalar, 3> values;
  const auto& operands = elementwise.operands;
  for (size_t k = 0; k < operands.size(); ++k) {
    if (k > 0 && same_elements(operands[k], operands[k - 1])) {
      values[k] = values[k - 1];
      continue;
    }
    const bool condition = elementwise.op == Arithmetic::where && k == 0;
    const Scalar value = element(operands[k], i);
    values[k] = condition ? value : as(value, elementwise.common);
  }
  return reckon(elementwise.op, std::span(values).first(operands.size()));
}

Scalar written_value(const Patch& patch, int64_t position) { return as(element(patch.value, position), patch.dtype); }

/// A cell of which a patch may cover only some bytes: each byte belongs to the last element written over it.
Scalar partly_covered(const Patch& patch, const Contents& contents, int64_t i) {
  const int width = itemsize(contents.dtype), wide = itemsize(patch.dtype);
  ElementBytes bytes = to_bytes(cell(*patch.base, i));
  for (int b = 0; b < width; ++b) {
    int64_t last = -1;
    int from = 0;
    for (int k = 0; k < wide; ++k) {
      const int64_t position = patch.writer.last_at(i * width + b - k);
      if (position > last) last = position, from = k;
    }
    if (last >= 0) bytes[static_cast<size_t>(b)] = to_bytes(written_value(patch, last))[static_cast<size_t>(from)];
  }
  return from_bytes(bytes, contents.dtype);
}

}  // namespace

Scalar cell(const Contents& contents, int64_t i) {
  const DType dtype = contents.dtype;
  const Contents* node = &contents;
  // A chain of writes is walked, not descended.
  while (true) {
    ++steps_taken;
    if (const auto* patch = std::get_if<Patch>(&node->node)) {
      if (!patch->whole) return partly_covered(*patch, *node, i);
      const int64_t position = patch->writer.last_at(i * itemsize(dtype));
      if (position >= 0) {
        const Scalar value = written_value(*patch, position);
        return value.dtype == dtype ? value : from_bytes(to_bytes(value), dtype);
      }
      node = patch->base.get();
    } else if (const auto* scatter = std::get_if<Scatter>(&node->node)) {
      const auto found = std::lower_bound(scatter->cells.begin(), scatter->cells.end(), i,
                                          [](const auto& entry, int64_t wanted) { return entry.first < wanted; });
      if (found != scatter->cells.end() && found->first == i) return found->second;
      node = scatter->base.get();
    } else {
      break;
    }
  }
  if (const auto* constant = std::get_if<Constant>(&node->node)) return constant->value;
  if (std::holds_alternative<Unknown>(node->node)) return read_unknown(dtype);
  if (const auto* range = std::get_if<IntegerRange>(&node->node))
    return integer_scalar(static_cast<int64_t>(static_cast<uint64_t>(range->start) +
                                               static_cast<uint64_t>(i) * static_cast<uint64_t>(range->step)),
                          dtype);
  if (const auto* range = std::get_if<RealRange>(&node->node))
    return real_scalar(range->start + static_cast<double>(i) * range->step, dtype);
  if (const auto* literal = std::get_if<Literal>(&node->node)) {
    const auto width = static_cast<size_t>(itemsize(dtype));
    ElementBytes bytes{};
    std::copy_n(literal->bytes.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(i) * width), width,
                bytes.begin());
    return from_bytes(bytes, dtype);
  }
  if (const auto* random = std::get_if<StandIns>(&node->node)) return (*random)(i, dtype);
  if (const auto* gather = std::get_if<Gather>(&node->node)) return as(element(gather->from, i), dtype);
  if (const auto* indexed = std::get_if<Indexed>(&node->node)) return as(element_of(*indexed, i), dtype);
  return as(element_of(*std::get_if<Elementwise>(&node->node), i), dtype);
}

Scalar read_at(const Contents& contents, int64_t byte, DType dtype) {
  const int width = itemsize(contents.dtype), wanted = itemsize(dtype);
  if (wanted == width && byte % width == 0) {
    const Scalar value = cell(contents, byte / width);
    return value.dtype == dtype ? value : from_bytes(to_bytes(value), dtype);
  }
  ElementBytes bytes{};
  for (int64_t i = byte / width; i * width < byte + wanted; ++i) {
    const ElementBytes one = to_bytes(cell(contents, i));
    for (int b = 0; b < width; ++b) {
      const int64_t place = i * width + b - byte;
      if (place >= 0 && place < wanted) bytes[static_cast<size_t>(place)] = one[static_cast<size_t>(b)];
    }
  }
  return from_bytes(bytes, dtype);
}

Elements elements_of(const Tensor& tensor) {
  return {tensor.storage->contents, *in_bytes(tensor), tensor.dtype, tensor.lens};
}

Elements copied_elements(const Tensor& tensor, Layout layout) {
  Elements elements{tensor.storage->contents, std::move(layout), tensor.dtype, tensor.lens};
  if (!tensor.structure) return elements;
  elements.dtype = DType::uint8;
  if (elements.layout.sizes.full()) return {nullptr, contiguous({0}), DType::uint8};
  elements.layout.sizes.push_back(tensor.structure->itemsize);
  elements.layout.strides.push_back(1);
  return elements;
}

Scalar element(const Elements& elements, int64_t position) {
  return seen(elements.lens, read_at(*elements.contents, offset_at(elements.layout, position), elements.dtype));
}

ContentsPtr unknown_contents(DType dtype, int64_t cells) {
  return std::make_shared<const Contents>(Contents{dtype, cells, cells == 0 ? 1 : unknown_cost, 1, Unknown{}});
}

ContentsPtr constant_contents(const Scalar& value, int64_t cells) {
  return finished({value.dtype, cells, 1, 1, Constant{value}});
}

ContentsPtr integer_range(int64_t start, int64_t step, DType dtype, int64_t cells) {
  return finished({dtype, cells, 1, 1, IntegerRange{start, step}});
}

ContentsPtr real_range(double start, double step, DType dtype, int64_t cells) {
  return finished({dtype, cells, 1, 1, RealRange{start, step}});
}

ContentsPtr literal_contents(std::span<const Scalar> values, DType dtype) {
  const auto width = static_cast<size_t>(itemsize(dtype));
  Literal literal;
  literal.bytes.reserve(values.size() * width);
  for (const Scalar& value : values) {
    const ElementBytes bytes = to_bytes(converted(value, dtype));
    literal.bytes.insert(literal.bytes.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(width));
  }
  return finished({dtype, static_cast<int64_t>(values.size()), 1, 1, std::move(literal)});
}

ContentsPtr random_contents(Distribution distribution, uint64_t seed, DType dtype, int64_t cells, int64_t low,
                            int64_t high) {
  return finished({dtype, cells, 1, 1, StandIns{distribution, seed, low, high}});
}

ContentsPtr gather(const Elements& from, DType dtype) {
  if (!from.contents) return nullptr;
  if (const Scalar* value = constant_of(from)) return constant_contents(converted(*value, dtype), count_of(from));
  if (from.dtype == dtype && is_whole(from)) return from.contents;
  return finished({dtype, count_of(from), 1 + cost(from), 1 + from.contents->depth, Gather{from}});
}

ContentsPtr gather_indexed(const Elements& from, std::vector<IndexedDim> dims, DType dtype) {
  if (!from.contents) return nullptr;
  int64_t steps = 1 + cost(from);
  int depth = from.contents->depth;
  for (const IndexedDim& dim : dims) {
    steps += cost(dim.index);
    depth = std::max(depth, dim.index.contents->depth);
  }
  return finished({dtype, count_of(from), steps, 1 + depth, Indexed{from, std::move(dims)}});
}

ContentsPtr elementwise(Arithmetic op, std::span<const Elements> operands, DType common, DType dtype) {
  if (op == Arithmetic::special || op == Arithmetic::special_of_two) return nullptr;
  int64_t steps = 1;
  int depth = 0;
  bool constant = op != Arithmetic::where;
  for (size_t k = 0; k < operands.size(); ++k) {
    if (!operands[k].contents) return nullptr;
    if (k == 0 || !same_elements(operands[k], operands[k - 1])) steps += cost(operands[k]);
    depth = std::max(depth, operands[k].contents->depth);
    constant = constant && constant_of(operands[k]) != nullptr;
  }
  const int64_t count = count_of(operands[0]);
  Elementwise node{op, common, {operands.begin(), operands.end()}};
  if (constant && count > 0) return constant_contents(converted(element_of(node, 0), dtype), count);
  return finished({dtype, count, steps, 1 + depth, std::move(node)});
}

namespace {

/// A bool's cell holds 0 or 1; other bytes written to it are kept in cells of one byte.
ContentsPtr open_to(const ContentsPtr& base, DType dtype) {
  if (base->dtype != DType::boolean || dtype == DType::boolean) return base;
  return gather({base, {{base->cells}, {1}, 0}, DType::uint8}, DType::uint8);
}

}  // namespace

ContentsPtr patch(const ContentsPtr& given, const Elements& region, const Elements& value) {
  if (count_of(region) == 0) return given;
  const ContentsPtr base = given ? open_to(given, region.dtype) : nullptr;
  if (!base || !value.contents) return nullptr;
  const Elements all{base, region.layout, region.dtype};
  if (is_whole(all)) return gather(value, region.dtype);
  const int width = itemsize(base->dtype);
  const bool whole = itemsize(region.dtype) == width && aligned(region.layout, width);
  LastWriter writer(region.layout);
  const int64_t places = whole ? 1 : int64_t{width} * itemsize(region.dtype);
  const int64_t search = places * writer.steps();
  const int64_t steps = search + (whole ? std::max(base->cost, cost(value)) : base->cost + width * cost(value));
  const int depth = 1 + std::max(base->depth, value.contents->depth);
  return finished({base->dtype, base->cells, steps, depth, Patch{base, region.dtype, std::move(writer), value, whole}});
}

ContentsPtr scatter(const ContentsPtr& given, DType dtype, std::span<const std::pair<int64_t, Scalar>> writes) {
  const ContentsPtr base = open_to(given, dtype);
  if (!base) return nullptr;
  const int width = itemsize(base->dtype), wide = itemsize(dtype);
  std::map<int64_t, ElementBytes> altered;
  int64_t reads = a_moment() / base->cost;                // that are left
  steps_taken += 8 * static_cast<int64_t>(writes.size());  // each takes as long as that many
  for (const auto& [byte, value] : writes) {
    const ElementBytes bytes = to_bytes(converted(value, dtype));
    for (int b = 0; b < wide; ++b) {
      const int64_t i = (byte + b) / width;
      auto found = altered.find(i);
      if (found == altered.end()) {
        const bool whole = b + width <= wide && (byte + b) % width == 0;
        if (!whole && --reads < 0) return nullptr;
        found = altered.emplace(i, whole ? ElementBytes{} : to_bytes(cell(*base, i))).first;
      }
      found->second[static_cast<size_t>((byte + b) % width)] = bytes[static_cast<size_t>(b)];
    }
  }
  Scatter node{base, {}};
  node.cells.reserve(altered.size());
  for (const auto& [i, bytes] : altered) node.cells.emplace_back(i, from_bytes(bytes, base->dtype));
  return finished({base->dtype, base->cells, 1 + base->cost, 1 + base->depth, std::move(node)});
}

int64_t cost(const Elements& elements) {
  const int wide = itemsize(elements.dtype), cell_bytes = itemsize(elements.contents->dtype);
  const bool one_cell = wide == cell_bytes && aligned(elements.layout, cell_bytes);
  return elements.contents->cost * (one_cell ? 1 : wide / cell_bytes + 1);
}

bool is_quick(const Elements& elements, int64_t reads) {
  return elements.contents && reads <= a_moment() / cost(elements);
}

std::optional<bool> any_element(const Elements& elements, DType dtype, bool (*asked)(const Scalar&)) {
  Elements once = elements;
  for (int d = 0; d < once.layout.rank(); ++d)
    if (once.layout.strides[d] == 0) once.layout.sizes[d] = std::min<int64_t>(once.layout.sizes[d], 1);
  const int64_t count = count_of(once),
                reads = once.contents && constant_of(once) ? std::min<int64_t>(count, 1) : count;
  if (!is_quick(once, reads)) return std::nullopt;
  for (int64_t i = 0; i < reads; ++i)
    if (asked(converted(element(once, i), dtype))) return true;
  return false;
}

}  // namespace stridescope
