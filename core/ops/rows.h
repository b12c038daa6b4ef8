// The rows of the operation table, grouped by idea; each group is a file.
#pragma once
#include <span>

#include "ops/op.h"

namespace stridescope {

std::span<const Op> torch_create_rows();      ///< zeros, full, empty_strided, ..
std::span<const Op> torch_literal_rows();     ///< tensor, as_tensor, ..
std::span<const Op> torch_range_rows();       ///< arange, linspace, eye, ..
std::span<const Op> torch_random_rows();      ///< randn, randint, manual_seed
std::span<const Op> torch_draw_rows();        ///< normal_, bernoulli, normal, ..
std::span<const Op> torch_weighted_rows();    ///< multinomial
std::span<const Op> torch_exchange_rows();    ///< numpy, from_numpy
std::span<const Op> torch_save_rows();        ///< save
std::span<const Op> torch_shape_rows();       ///< view, reshape, flatten, ..
std::span<const Op> torch_storage_rows();     ///< resize_, set_, x.data
std::span<const Op> torch_dims_rows();        ///< permute, squeeze, ..
std::span<const Op> torch_expand_rows();      ///< expand, meshgrid, ..
std::span<const Op> torch_part_rows();        ///< select, split, unfold, as_strided, ..
std::span<const Op> torch_split_rows();       ///< split, chunk, tensor_split, ..
std::span<const Op> torch_index_rows();       ///< x[key]
std::span<const Op> torch_setting_rows();     ///< no_grad, set_default_dtype, set_printoptions, ..
std::span<const Op> torch_device_rows();      ///< device, cuda, is_available, ..
std::span<const Op> torch_deep_copy_rows();   ///< copy.copy, copy.deepcopy
std::span<const Op> torch_copy_rows();        ///< contiguous, clone, to, flip, roll, ..
std::span<const Op> torch_repeat_rows();      ///< repeat, tile, repeat_interleave
std::span<const Op> torch_join_rows();        ///< cat, stack, ..
std::span<const Op> torch_gather_rows();      ///< index_select, gather, diag, ..
std::span<const Op> torch_math_rows();        ///< + - *, comparisons, functions of each element
std::span<const Op> torch_clamp_rows();       ///< clamp, clamp_
std::span<const Op> torch_reduce_rows();      ///< sum, max, any, ..
std::span<const Op> torch_length_rows();      ///< norm, linalg.vector_norm
std::span<const Op> torch_vector_rows();      ///< cross, vdot, vecdot, multi_dot
std::span<const Op> torch_distance_rows();    ///< cosine_similarity, pairwise_distance, dist
std::span<const Op> torch_nan_rows();         ///< nan_to_num
std::span<const Op> torch_running_rows();     ///< cumsum, cumprod, diff
std::span<const Op> torch_softmax_rows();     ///< softmax, log_softmax, logsumexp
std::span<const Op> torch_product_rows();     ///< matmul, dot, einsum, ..
std::span<const Op> torch_mask_rows();        ///< where, masked_fill, nonzero, ..
std::span<const Op> torch_order_rows();       ///< sort, topk, kthvalue, median, mode
std::span<const Op> torch_distinct_rows();    ///< unique, unique_consecutive
std::span<const Op> torch_pair_rows();        ///< aminmax, cummax, cummin
std::span<const Op> torch_matrix_rows();      ///< linalg.inv, det, qr, svd, eigh, ..
std::span<const Op> torch_equation_rows();    ///< linalg.solve, pinv, matrix_power, ..
std::span<const Op> torch_least_rows();       ///< linalg.lstsq
std::span<const Op> torch_mixing_rows();      ///< lerp, addcmul, addcdiv
std::span<const Op> torch_set_rows();         ///< isin, searchsorted, bucketize
std::span<const Op> torch_count_rows();       ///< bincount
std::span<const Op> torch_scatter_rows();     ///< scatter, scatter_add, ..
std::span<const Op> torch_index_write_rows();  ///< index_add, index_copy, index_fill
std::span<const Op> torch_put_rows();         ///< index_put, put, masked_scatter
std::span<const Op> torch_linear_rows();      ///< addmm, baddbmm, linear
std::span<const Op> torch_einsum_rows();      ///< einsum
std::span<const Op> torch_block_rows();       ///< tensordot, kron, block_diag
std::span<const Op> torch_pad_rows();         ///< pad
std::span<const Op> torch_functional_rows();  ///< unfold, pixel_shuffle, one_hot, dropout
std::span<const Op> torch_column_rows();      ///< unfold, fold
std::span<const Op> torch_convolve_rows();    ///< conv2d, conv_transpose2d, ..
std::span<const Op> torch_activate_rows();    ///< leaky_relu, elu, hardtanh, ..
std::span<const Op> torch_gate_rows();        ///< softsign, tanhshrink, glu, prelu
std::span<const Op> torch_loss_rows();        ///< mse_loss, binary_cross_entropy, kl_div, ..
std::span<const Op> torch_class_loss_rows();  ///< cross_entropy, nll_loss
std::span<const Op> torch_pool_rows();        ///< max_pool2d, avg_pool2d, ..
std::span<const Op> torch_recurrent_rows();   ///< torch.lstm, torch.gru, ..
std::span<const Op> torch_adaptive_rows();    ///< adaptive_avg_pool2d, ..
std::span<const Op> torch_norm_rows();        ///< layer_norm, batch_norm, normalize, ..
std::span<const Op> torch_attention_rows();   ///< scaled_dot_product_attention
std::span<const Op> torch_resize_rows();      ///< interpolate
std::span<const Op> torch_unpool_rows();      ///< max_unpool2d, ..
std::span<const Op> torch_nn_written_rows();  ///< margin_ranking_loss, instance_norm, ..
std::span<const Op> torch_module_rows();      ///< nn.Linear, nn.Sequential, ..
std::span<const Op> torch_parameter_rows();   ///< nn.Parameter, nn.init.ones_, ..
std::span<const Op> torch_complex_rows();     ///< view_as_real, conj, ..
std::span<const Op> torch_write_rows();       ///< x[key] = value, fill_, add_, ..
std::span<const Op> torch_view_copy_rows();   ///< view_copy, permute_copy, ..
std::span<const Op> torch_version_rows();     ///< _version
std::span<const Op> torch_gradient_rows();    ///< backward, grad, autograd.grad, retain_grad
std::span<const Op> torch_data_rows();        ///< torch.utils.data
std::span<const Op> torch_embedding_rows();   ///< embedding
std::span<const Op> torch_close_rows();       ///< isclose
std::span<const Op> torch_limits_rows();      ///< iinfo, finfo
std::span<const Op> torch_place_rows();       ///< unravel_index
std::span<const Op> torch_sum_to_rows();      ///< sum_to_size
std::span<const Op> torch_written_rows();     ///< cov, quantile, trapezoid, fft.fft, ..
std::span<const Op> torch_query_rows();       ///< shape, stride, is_contiguous, item, ..

std::span<const Op> einops_rows();  ///< rearrange, reduce, repeat, ..

std::span<const Op> numpy_range_rows();        ///< arange, linspace
std::span<const Op> numpy_create_rows();       ///< zeros, eye, ..
std::span<const Op> numpy_random_rows();       ///< random.rand, random.randint, ..
std::span<const Op> numpy_convert_rows();      ///< array, copy, astype, require, ..
std::span<const Op> numpy_shape_rows();        ///< reshape, ravel, squeeze, ..
std::span<const Op> numpy_buffer_rows();       ///< ndarray(shape, .., buffer, offset, strides)
std::span<const Op> numpy_recipe_rows();       ///< view(dtype), x.shape = .., resize, ..
std::span<const Op> numpy_axes_rows();         ///< transpose, moveaxis, flip, rot90, ..
std::span<const Op> numpy_broadcast_rows();    ///< broadcast_to, broadcast_arrays, meshgrid, ..
std::span<const Op> numpy_grid_rows();         ///< mgrid, ogrid, r_, c_
std::span<const Op> numpy_window_rows();       ///< diagonal, as_strided, sliding_window_view
std::span<const Op> numpy_index_rows();        ///< x[key], x[key] = value
std::span<const Op> numpy_join_rows();         ///< concatenate, stack, append, ..
std::span<const Op> numpy_repeat_rows();       ///< repeat, tile, roll
std::span<const Op> numpy_split_rows();        ///< split, array_split, ..
std::span<const Op> numpy_arithmetic_rows();   ///< + - *, comparisons, writes in place
std::span<const Op> numpy_method_rows();       ///< add.outer, maximum.reduce, add.at
std::span<const Op> numpy_composed_rows();     ///< fix, sinc, isposinf, trapezoid
std::span<const Op> numpy_written_rows();      ///< cov, polyfit, hanning, fft.fft, ..
std::span<const Op> numpy_vector_rows();       ///< vdot, vecdot, cross, ..
std::span<const Op> numpy_norm_rows();         ///< linalg.norm, linalg.vector_norm, linalg.matrix_norm
std::span<const Op> numpy_matrix_rows();       ///< linalg.inv, det, qr, svd, eig, ..
std::span<const Op> numpy_equation_rows();     ///< linalg.solve, lstsq, pinv, matrix_power, ..
std::span<const Op> numpy_space_rows();        ///< logspace, geomspace
std::span<const Op> numpy_partition_rows();    ///< partition, argpartition, lexsort
std::span<const Op> numpy_round_rows();        ///< round
std::span<const Op> numpy_reduce_rows();       ///< sum, max, any, cumsum, ..
std::span<const Op> numpy_nan_rows();          ///< nansum, nanmean, nanvar, nanmax, average, ..
std::span<const Op> numpy_running_rows();      ///< cumsum, nancumsum, diff
std::span<const Op> numpy_product_rows();      ///< matmul
std::span<const Op> numpy_dot_rows();          ///< dot, inner, tensordot, outer
std::span<const Op> numpy_einsum_rows();       ///< einsum
std::span<const Op> numpy_median_rows();       ///< median, nanmedian
std::span<const Op> numpy_complex_rows();      ///< real, imag, angle, isreal
std::span<const Op> numpy_pad_rows();          ///< pad
std::span<const Op> numpy_place_rows();        ///< unravel_index, ravel_multi_index
std::span<const Op> numpy_write_rows();        ///< fill, copyto, nan_to_num
std::span<const Op> numpy_bytes_rows();        ///< tobytes, frombuffer, __array_interface__, ..
std::span<const Op> numpy_memory_rows();       ///< data: memory views
std::span<const Op> numpy_save_rows();         ///< save
std::span<const Op> numpy_put_rows();          ///< put, putmask, place
std::span<const Op> numpy_convolve_rows();     ///< convolve, correlate
std::span<const Op> numpy_count_rows();        ///< bincount
std::span<const Op> numpy_histogram_rows();    ///< histogram, histogram_bin_edges
std::span<const Op> numpy_interpolate_rows();  ///< interp, searchsorted, digitize
std::span<const Op> numpy_gradient_rows();     ///< gradient
std::span<const Op> numpy_quantile_rows();     ///< percentile, quantile
std::span<const Op> numpy_search_rows();       ///< nonzero, sort, trace, ..
std::span<const Op> numpy_iterate_rows();      ///< ndindex, ndenumerate, nditer
std::span<const Op> numpy_printed_rows();      ///< array_repr, array_str, array2string
std::span<const Op> numpy_pick_rows();         ///< compress, extract, take_along_axis, delete
std::span<const Op> numpy_set_rows();          ///< unique, union1d, isin, ..
std::span<const Op> numpy_insert_rows();       ///< insert
std::span<const Op> numpy_block_rows();        ///< block, kron
std::span<const Op> numpy_triangle_rows();     ///< tri, tril, tril_indices, diagflat, vander, ..
std::span<const Op> numpy_choose_rows();       ///< choose, select
std::span<const Op> numpy_promote_rows();      ///< result_type, can_cast, issubdtype, ..
std::span<const Op> numpy_limits_rows();       ///< iinfo, finfo, isscalar, iterable
std::span<const Op> numpy_flat_rows();         ///< flat
std::span<const Op> numpy_compare_rows();      ///< shares_memory, array_equal, ..
std::span<const Op> numpy_setting_rows();      ///< errstate, seterr, set_printoptions
std::span<const Op> numpy_query_rows();        ///< shape, strides, flags, base, ..

}  // namespace stridescope
