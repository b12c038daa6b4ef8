// Arrays seen under a larger shape, with stride 0 where they repeat: views.
#include <algorithm>

#include "layout/checked.h"
#include "ops/layout_words.h"
#include "ops/numpy/structured.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

bool check_broadcast(Call& call, const Tensor& array, const Dims& sizes) {
  const Layout& layout = array.layout;
  if (sizes.empty() && layout.rank() > 0)
    return call.fail("ValueError", "cannot broadcast a non-scalar to a scalar array", Msg::np_cannot_broadcast_into,
                     {to_string(layout.sizes), "()"}),
           false;
  for (const int64_t size : sizes)
    if (size < 0)
      return call.fail("ValueError", "all elements of broadcast shape must be non-negative", Msg::np_negative_size,
                       {to_string(sizes)}),
             false;
  if (layout.rank() > sizes.size())
    return call.fail("ValueError", "input operand has more dimensions than allowed by the axis remapping",
                     Msg::np_cannot_broadcast_into, {to_string(layout.sizes), to_string(sizes)}),
           false;
  if (is_expandable(layout, sizes)) return true;
  call.about("repeats").fail("ValueError",
                             {"operands could not be broadcast together with remapped shapes [original->remapped]: ",
                              shape_text(layout.sizes), "  and requested shape ", shape_text(sizes)},
                             Msg::np_cannot_broadcast_into, {to_string(layout.sizes), to_string(sizes)});
  return false;
}

void explain_broadcast(Call& call, const Tensor& array, const Dims& sizes) {
  const int extra = sizes.size() - array.layout.rank();
  for (int d = 0; d < sizes.size(); ++d)
    if (d < extra)
      call.why(Msg::np_broadcast_new_axis, {d, sizes[d]});
    else if (array.layout.sizes[d - extra] == 1 && sizes[d] != 1)
      call.why(Msg::np_broadcast_stretch, {Slot{d - extra, call.axis(array, d - extra)}, sizes[d]});
}

Value broadcast_one(Call& call) {
  const TensorRef source = receiver(call);
  // Whether a size is below 0 is asked of every row.
  const TensorPtr table = tensor_of(call.value("shape"));
  if (table && table->layout.rank() > 1 && table->layout.sizes[0] > 0 && count_of(*table) == 0)
    return call.truth("shape"), Value{};
  if (table && table->layout.rank() > 1 && count_of(*table) > table->layout.sizes[0])
    return call.about("shape").fail(
        "ValueError", "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()",
        Msg::truth_of_many, {to_string(table->layout.sizes)});
  const Dims sizes = numpy_shape(call, call.value("shape"));
  call.truth("subok");
  if (call.failed() || !check_broadcast(call, *source->tensor, sizes)) return {};
  if (!numel(sizes))
    return call.about("shape").fail("ValueError", "iterator is too large", Msg::np_storage_overflow,
                                    {to_string(sizes)});
  const Value result = numpy_readonly_view(call, *source->tensor, broadcast_to(source->tensor->layout, sizes));
  explain_broadcast(call, *source->tensor, sizes);
  call.why(Msg::np_broadcast_readonly);
  return result;
}

/// The arrays under the common sizes; one that has them already comes back itself.
std::vector<Value> seen_under(Call& call, const std::vector<TensorRef>& arrays, const Dims& sizes) {
  std::vector<Value> items;
  for (const TensorRef& array : arrays) {
    const Tensor& tensor = *array->tensor;
    if (tensor.layout.sizes == sizes)
      items.push_back(numpy_same(call, array, Msg::np_broadcast_itself, {to_string(sizes)}));
    else {
      Tensor warning = tensor;
      warning.writeable = warning.write_warns = tensor.writeable;
      const TensorPtr owner = tensor_of(call.base_of(tensor));
      if (warning.writeable && owner && !tensor.base_facet && !owner->writeable)
        call.fail("ValueError", "cannot set WRITEABLE flag to True of this array", Msg::np_cannot_set_writeable);
      items.push_back(numpy_view(call, warning, broadcast_to(tensor.layout, sizes)));
    }
    if (tensor.layout.sizes != sizes) explain_broadcast(call, tensor, sizes);
  }
  return items;
}

Value broadcast_arrays(Call& call) {
  const auto arrays = as_arrays(call, call.value("args"));
  call.truth("subok");
  if (call.failed()) return {};
  const auto sizes = common_sizes(call, shapes_of(arrays));
  if (!sizes) return {};
  call.why(Msg::np_broadcast_common, {to_string(*sizes)});
  return call.tuple(seen_under(call, arrays, *sizes));
}

Value meshgrid(Call& call) {
  const auto arrays = as_arrays(call, call.value("xi"));
  if (tensor_of(call.value("indexing"))) call.truth("indexing");
  const auto* word = std::get_if<std::string>(&call.value("indexing").held);
  const std::string indexing = word ? *word : to_string(call.value("indexing"));
  if (call.failed()) return {};
  if (indexing != "xy" && indexing != "ij")
    return call.about("indexing")
        .fail("ValueError", "Valid values for `indexing` are 'xy' and 'ij'.", Msg::np_indexing, {indexing});
  const bool sparse = call.truth("sparse"), copies = call.truth("copy");
  if (call.failed()) return {};
  const int rank = static_cast<int>(arrays.size());
  if (rank > max_rank) return too_many_axes(call, rank);
  std::vector<TensorRef> grids;
  const size_t said = call.said();
  for (int k = 0; k < rank; ++k) {
    // Along its own axis first; "xy" then exchanges the first two, which may change strides where there is no element.
    const int axis = indexing == "xy" && rank > 1 && k < 2 ? 1 - k : k;
    const Tensor& given = *arrays[static_cast<size_t>(k)]->tensor;
    Dims sizes = Dims::filled(rank, 1);
    sizes[k] = -1;
    Value seen = numpy_reshape(call, given, sizes, NumpyOrder::c);
    std::swap(sizes[k], sizes[axis]);
    if (axis != k) seen = numpy_reshape(call, made_or(seen, given), sizes, NumpyOrder::c);
    if (call.failed()) return {};
    grids.push_back(std::get<TensorRef>(seen.held));
  }
  const auto common = common_sizes(call, shapes_of(grids));  // 1 but for an axis each
  std::vector<Value> items;
  if (!sparse)
    items = seen_under(call, grids, *common);
  else
    for (const TensorRef& grid : grids) items.push_back({grid});
  if (call.failed()) return {};
  for (Value& item : items)
    if (copies) item = numpy_copy(call, *tensor_of(item), NumpyOrder::c);
  if (call.failed()) return {};
  call.unsay(said);
  call.relation(copies ? Relation::copy : Relation::view);
  call.why(copies ? Msg::np_meshgrid_copies : Msg::np_meshgrid_views, {rank, to_string(*common)});
  for (size_t k = 0; k < items.size(); ++k) {
    const Layout &given = arrays[k]->tensor->layout, &grid = tensor_of(items[k])->layout;
    call.why(Msg::np_grid, {static_cast<int64_t>(k), to_string(given.sizes), to_string(grid.sizes),
                            to_string(grid.strides), nbytes(*tensor_of(items[k]))});
  }
  return call.tuple(std::move(items));
}

/// What np.broadcast goes through: structures of an element of each array. How far it has come is their version.
Tensor side_by_side(const std::vector<TensorRef>& arrays, const Dims& sizes) {
  std::vector<StructureField> fields;
  std::vector<Elements> columns;
  for (const TensorRef& array : arrays) {
    fields.push_back({std::to_string(fields.size()), 0, array->tensor->dtype});
    columns.push_back(broadcast_elements(*array->tensor, sizes));
  }
  Tensor seen = of_structure(std::make_shared<const Structure>(*packed_structure(std::move(fields), false)));
  const int64_t count = *numel(sizes), unit = seen.structure->itemsize;
  const bool known = count <= small_cells && std::all_of(columns.begin(), columns.end(), [&](const Elements& column) {
                       return is_known(*column.contents) && is_quick(column, count);
                     });
  std::vector<Scalar> bytes;
  for (int64_t i = 0; known && i < count; ++i)
    for (const Elements& column : columns) {
      const ElementBytes all = to_bytes(element(column, i));
      for (int k = 0; k < itemsize(column.dtype); ++k) bytes.push_back({DType::uint8, all[static_cast<size_t>(k)]});
    }
  seen.layout = {sizes, contiguous(sizes).strides, 0};
  for (int64_t& stride : seen.layout.strides) stride = known ? stride * unit : 0;
  seen.storage = std::make_shared<Storage>();
  seen.storage->contents = known ? literal_contents(bytes, DType::uint8)
                                 : unknown_contents(DType::uint8, checked_mul(count, unit).value_or(0));
  seen.version = std::make_shared<int64_t>(0);
  return seen;
}

/// The shape that np.broadcast(..) holds.
const Dims& broadcast_shape(Call& call) {
  const Dims& sizes = std::get<Facet>(call.value("x").held).tensor->layout.sizes;
  call.why(Msg::np_broadcast_common, {to_string(sizes)});
  return sizes;
}

}  // namespace

std::span<const Op> numpy_broadcast_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.broadcast_to(array, shape, subok=False)", Msg::op_np_broadcast_to,
       "stride 0 for every new axis and every axis of size 1", "x = np.arange(3)\ny = np.broadcast_to(x, (4, 3))",
       broadcast_one, Op::Structured::arrays},
      {Library::numpy, "np.broadcast_arrays(*args: any = (), subok=False)", Msg::op_np_broadcast_arrays,
       "each array seen under the common shape", "x, y = np.broadcast_arrays(np.arange(3), np.zeros((2, 1)))",
       broadcast_arrays, Op::Structured::arrays},
      {Library::numpy, "np.broadcast_shapes(*args: any = ())", Msg::op_np_broadcast_shapes,
       "from the right, equal sizes or a 1 in either", "shape = np.broadcast_shapes((3, 1), (2,))",
       [](Call& call) -> Value {
         std::vector<Dims> shapes;
         for (const Value& item : *std::get<Sequence>(call.value("args").held).items) {
           const Dims shape = numpy_shape(call, item);
           if (std::any_of(shape.begin(), shape.end(), [](int64_t size) { return size < 0; }))
             call.fail("ValueError", "negative dimensions are not allowed", Msg::np_negative_size, {to_string(shape)});
           shapes.push_back(shape);
         }
         if (call.failed()) return {};
         const auto sizes = common_sizes(call, shapes);
         if (!sizes) return {};
         call.why(Msg::np_broadcast_common, {to_string(*sizes)});
         return tuple_of(*sizes);
       }},
      {Library::numpy, "np.meshgrid(*xi: any = (), copy=True, sparse=False, indexing='xy')", Msg::op_np_meshgrid,
       "argument k along axis k ('ij'), the first two exchanged ('xy')",
       "x, y = np.meshgrid(np.arange(3), np.arange(2))", meshgrid, Op::Structured::arrays},
      {Library::numpy, "np.broadcast(*args: any = ())", Msg::op_np_broadcast, "",
       "np.broadcast(np.arange(3), np.zeros((2, 1))).shape",
       [](Call& call) -> Value {
         const auto arrays = as_arrays(call, call.value("args"));
         if (call.failed()) return {};
         const auto sizes = common_sizes(call, shapes_of(arrays));
         if (!sizes) return {};
         if (!numel(*sizes))
           return call.fail("ValueError", "broadcast dimensions too large.", Msg::np_storage_overflow,
                            {to_string(*sizes)});
         call.why(Msg::np_broadcast_common, {to_string(*sizes)});
         call.relation(Relation::none);
         return {Facet{"broadcast", std::make_shared<const Tensor>(side_by_side(arrays, *sizes))}};
       }},
      {Library::numpy, "x.broadcast.shape", Msg::op_np_shape, "", "np.broadcast(np.arange(3), np.zeros((2, 1))).shape",
       [](Call& call) { return tuple_of(broadcast_shape(call)); }, Op::Structured::elements},
      {Library::numpy, "x.broadcast.ndim\nx.broadcast.nd", Msg::op_np_ndim, "",
       "np.broadcast(np.arange(3), np.zeros((2, 1))).ndim",
       [](Call& call) { return Value{int64_t{broadcast_shape(call).size()}}; }, Op::Structured::elements},
      {Library::numpy, "x.broadcast.index", Msg::op_np_size, "how many it has given",
       "b = np.broadcast(np.arange(3), np.zeros((2, 1)))\nb.index",
       [](Call& call) { return Value{*std::get<Facet>(call.value("x").held).tensor->version}; },
       Op::Structured::elements},
      {Library::numpy, "x.broadcast.numiter", Msg::op_np_size, "how many arrays there are",
       "np.broadcast(np.arange(3), np.zeros((2, 1))).numiter",
       [](Call& call) {
         return Value{static_cast<int64_t>(std::get<Facet>(call.value("x").held).tensor->structure->fields.size())};
       },
       Op::Structured::elements},
      {Library::numpy, "x.broadcast.reset()", Msg::op_np_size, "from the first on again",
       "b = np.broadcast(np.arange(3), np.zeros((2, 1)))\nb.reset()",
       [](Call& call) {
         *std::get<Facet>(call.value("x").held).tensor->version = 0;
         return Value{};
       },
       Op::Structured::elements},
      {Library::numpy, "x.broadcast.size", Msg::op_np_size, "", "np.broadcast(np.arange(3), np.zeros((2, 1))).size",
       [](Call& call) { return Value{numel(broadcast_shape(call)).value_or(0)}; }, Op::Structured::elements},
  };
  return rows;
}

}  // namespace stridescope
