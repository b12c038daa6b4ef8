// Files: what of an array's memory would be written to them.
#include "layout/contiguity.h"
#include "ops/numpy/numpy.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

Value save_row(Call& call) {
  const Value& file = call.value("file");
  const auto* path = std::get_if<std::string>(&file.held);
  // Which folders there are nobody knows here.
  if (std::holds_alternative<Object>(file.held) || is_bytes(file) || (path && path->find('/') != std::string::npos))
    return call.about("file").refuse(Msg::not_modelled, {"NumPy", call.written(call.span())});
  if (!path)
    return call.about("file").fail("TypeError", {"expected str, bytes or os.PathLike object, not ", type_name(file)},
                                   Msg::argument_has_type, {"file", "str", type_name(file)});
  const TensorRef given = as_array(call, call.value("arr"));
  if (call.failed()) return {};
  const Tensor& array = *given->tensor;
  const int64_t item = itemsize(array.dtype), count = *numel(array.layout.sizes);
  const int64_t held = count * item;  // NumPy makes no array of more than int64_t counts
  const bool fortran = resolved_order(array, NumpyOrder::any) == Order::fortran;
  call.relation(Relation::none);
  call.why(Msg::np_save_headline, {count, item, held, fortran ? "F" : "C"});
  if (held < array.storage->nbytes) call.why(Msg::np_save_view, {array.storage->nbytes});
  return {};
}

}  // namespace

std::span<const Op> numpy_save_rows() {
  static constexpr Op rows[] = {
      {Library::numpy, "np.save(file, arr, allow_pickle=True, fix_imports=None)", Msg::op_np_save,
       "the elements alone, in C order, or in Fortran order where they lie in it",
       "x = np.arange(1000)\nnp.save('x.npy', x[:10])", save_row},
  };
  return rows;
}

}  // namespace stridescope
