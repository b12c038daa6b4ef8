// The operation table: the rows of every idea joined, and looked up by the forms their signatures give.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include "ops/op.h"
#include "ops/rows.h"

namespace stridescope {
namespace {

/// What a form is looked up by: FNV-1a of its library, kind and name.
uint64_t key(Library library, Form::Kind kind, std::string_view name) {
  uint64_t hash = 14695981039346656037u;
  const auto add = [&](uint64_t byte) { hash = (hash ^ byte) * 1099511628211u; };
  add(static_cast<uint64_t>(library));
  add(static_cast<uint64_t>(kind));
  for (const char c : name) add(static_cast<uint8_t>(c));
  return hash;
}

struct Index {
  struct Place {
    const Op* op;
    int row;
    size_t first, count;  // of its forms
  };
  std::vector<const Op*> rows;
  std::vector<Form> forms;
  std::vector<Place> places;        // by op
  std::vector<uint64_t> keys;       // ascending
  std::vector<const Form*> by_key;  // those of one key in the table's order

  Index() {
    for (const std::span<const Op> group :
         {torch_range_rows(),      torch_create_rows(),     torch_literal_rows(),     torch_random_rows(),
          torch_draw_rows(),       torch_weighted_rows(),   torch_exchange_rows(),    torch_shape_rows(),
          torch_storage_rows(),    torch_dims_rows(),       torch_expand_rows(),      torch_part_rows(),
          torch_split_rows(),      torch_index_rows(),      torch_device_rows(),      torch_setting_rows(),
          torch_copy_rows(),       torch_deep_copy_rows(),  torch_repeat_rows(),      torch_join_rows(),
          torch_gather_rows(),     torch_math_rows(),       torch_clamp_rows(),       torch_reduce_rows(),
          torch_running_rows(),    torch_length_rows(),     torch_vector_rows(),      torch_distance_rows(),
          torch_nan_rows(),        torch_product_rows(),    torch_mask_rows(),        torch_order_rows(),
          torch_count_rows(),      torch_scatter_rows(),    torch_index_write_rows(), torch_softmax_rows(),
          torch_linear_rows(),     torch_einsum_rows(),     torch_block_rows(),       torch_pad_rows(),
          torch_functional_rows(), torch_column_rows(),     torch_complex_rows(),     torch_write_rows(),
          torch_convolve_rows(),   torch_pool_rows(),       torch_norm_rows(),        torch_attention_rows(),
          torch_resize_rows(),     torch_module_rows(),     torch_activate_rows(),    torch_parameter_rows(),
          torch_adaptive_rows(),   torch_view_copy_rows(),  torch_version_rows(),     torch_put_rows(),
          torch_close_rows(),      torch_embedding_rows(),  torch_recurrent_rows(),   torch_limits_rows(),
          torch_place_rows(),      torch_sum_to_rows(),     torch_pair_rows(),        torch_matrix_rows(),
          torch_equation_rows(),   torch_least_rows(),      torch_mixing_rows(),      torch_set_rows(),
          torch_query_rows(),      torch_gate_rows(),       torch_loss_rows(),        torch_class_loss_rows(),
          torch_unpool_rows(),     torch_nn_written_rows(), numpy_range_rows(),       numpy_create_rows(),
          numpy_random_rows(),     numpy_convert_rows(),    numpy_shape_rows(),       numpy_buffer_rows(),
          numpy_recipe_rows(),     numpy_axes_rows(),       numpy_window_rows(),      numpy_grid_rows(),
          numpy_broadcast_rows(),  numpy_index_rows(),      numpy_join_rows(),        numpy_repeat_rows(),
          numpy_split_rows(),      numpy_arithmetic_rows(), numpy_round_rows(),       numpy_reduce_rows(),
          numpy_running_rows(),    numpy_product_rows(),    numpy_dot_rows(),         numpy_einsum_rows(),
          numpy_place_rows(),      numpy_median_rows(),     numpy_complex_rows(),     numpy_pad_rows(),
          numpy_write_rows(),      numpy_search_rows(),     numpy_flat_rows(),        numpy_query_rows(),
          numpy_setting_rows(),    numpy_compare_rows(),    numpy_put_rows(),         numpy_convolve_rows(),
          numpy_quantile_rows(),   numpy_count_rows(),      numpy_bytes_rows(),       numpy_method_rows(),
          numpy_iterate_rows(),    numpy_pick_rows(),       numpy_limits_rows(),      numpy_set_rows(),
          numpy_insert_rows(),     numpy_block_rows(),      numpy_triangle_rows(),    numpy_choose_rows(),
          numpy_promote_rows(),    numpy_nan_rows(),        numpy_histogram_rows(),   numpy_interpolate_rows(),
          numpy_gradient_rows(),   torch_save_rows(),       numpy_save_rows(),        numpy_composed_rows(),
          numpy_vector_rows(),     numpy_norm_rows(),       numpy_matrix_rows(),      numpy_equation_rows(),
          numpy_space_rows(),      numpy_partition_rows(),  torch_distinct_rows(),    einops_rows(),
          torch_written_rows(),    torch_gradient_rows(),   torch_data_rows(),        numpy_written_rows(),
          numpy_printed_rows(),    numpy_memory_rows()})
      for (const Op& op : group) rows.push_back(&op);
    for (const Op* op : rows) {
      const size_t first = forms.size();
      for (std::string_view rest = op->signatures; !rest.empty();) {
        const size_t end = std::min(rest.find('\n'), rest.size());
        forms.push_back(parse_signature(*op, rest.substr(0, end)));
        rest.remove_prefix(std::min(rest.size(), end + 1));
      }
      places.push_back({op, static_cast<int>(places.size()), first, forms.size() - first});
    }
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return std::less<>()(a.op, b.op); });
    std::vector<std::pair<uint64_t, const Form*>> keyed;
    for (const Form& form : forms) keyed.emplace_back(key(form.op->library, form.kind, form.name), &form);
    std::sort(keyed.begin(), keyed.end());
    for (const auto& [key, form] : keyed) keys.push_back(key), by_key.push_back(form);
  }
  const Place& place(const Op& op) const {
    return *std::partition_point(places.begin(), places.end(),
                                 [&](const Place& one) { return std::less<>()(one.op, &op); });
  }
};

const Index& table() {
  static const Index index;
  return index;
}

}  // namespace

std::span<const Op* const> operation_table() { return table().rows; }
std::span<const Form> forms() { return table().forms; }
const Form& first_form(const Op& op) { return forms_of(op).front(); }
std::span<const Form> forms_of(const Op& op) {
  const Index::Place& place = table().place(op);
  return forms().subspan(place.first, place.count);
}
int row_of(const Op& op) { return table().place(op).row; }

std::span<const Form* const> find_forms(Library library, Form::Kind kind, std::string_view name) {
  const std::vector<uint64_t>& keys = table().keys;
  const uint64_t wanted = key(library, kind, name);
  const auto first = std::lower_bound(keys.begin(), keys.end(), wanted),
             last = std::find_if(first, keys.end(), [&](uint64_t one) { return one != wanted; });
  const std::span<const Form* const> found(table().by_key.data() + (first - keys.begin()),
                                           static_cast<size_t>(last - first));
  // A name that the table has not can share the key of one.
  return found.empty() || found.front()->name != name ? std::span<const Form* const>{} : found;
}

bool is_module(std::string_view path) {
  if (path == "torch" || path == "numpy") return true;
  // np.add, whose methods are written like members of a module, is none.
  const Library library = path.starts_with("numpy.") ? Library::numpy : Library::torch;
  if (!find_forms(library, Form::Kind::function, path).empty()) return false;
  return std::any_of(forms().begin(), forms().end(), [&](const Form& form) {
    return form.kind == Form::Kind::function && form.name.size() > path.size() && form.name.starts_with(path) &&
           form.name[path.size()] == '.';
  });
}

}  // namespace stridescope
