// torch.utils.data: what makes batches. Its lines stand in data.inc.
#include "ops/rows.h"

namespace stridescope {

std::span<const Op> torch_data_rows() {
#define DATA "torch.utils.data."
#define PAIRS "x = torch.utils.data.TensorDataset(torch.arange(6.).view(3, 2), torch.arange(3))\n"
  static constexpr Op rows[] = {
      {Library::torch,
       DATA "TensorDataset(*tensors: any)\n" DATA "StackDataset(*args: any, **kwargs: any)\n" DATA
            "Subset(dataset: any, indices: any)\n" DATA "ConcatDataset(datasets: any)\n" DATA
            "ChainDataset(datasets: any)",
       Msg::op_dataset, "dataset[i] is tensor[i] of each tensor: a view",
       "x = torch.arange(6.).view(3, 2)\ny = torch.utils.data.TensorDataset(x)", nullptr},
      {Library::torch,
       DATA
       "SequentialSampler(data_source: any)\n" DATA
       "RandomSampler(data_source: any, replacement: any = False, num_samples: any = None, generator: any = "
       "None)\n" DATA "SubsetRandomSampler(indices: any, generator: any = None)\n" DATA
       "WeightedRandomSampler(weights: any, num_samples: any, replacement: any = True, generator: any = None)\n" DATA
       "BatchSampler(sampler: any, batch_size: any, drop_last: any)",
       Msg::op_sampler, "one index after the other, or lists of batch_size of them",
       "y = list(torch.utils.data.BatchSampler(torch.utils.data.SequentialSampler(range(5)), 2, False))", nullptr},
      {Library::torch,
       DATA
       "DataLoader(dataset: any, batch_size: any = 1, shuffle: any = None, sampler: any = None, batch_sampler: any "
       "= None, num_workers: any = 0, collate_fn: any = None, pin_memory: any = False, drop_last: any = False, "
       "timeout: any = 0, worker_init_fn: any = None, multiprocessing_context: any = None, generator: any = None, "
       "*, prefetch_factor: any = None, persistent_workers: any = False, pin_memory_device: any = '', in_order: "
       "any = True)",
       Msg::op_loader, "each batch is collate_fn([dataset[i] for i in indices]): copies, stacked along a new dim 0",
       PAIRS "(y, z), last = torch.utils.data.DataLoader(x, batch_size=2)", nullptr},
      {Library::torch, DATA "random_split(dataset: any, lengths: any, generator: any = None)", Msg::op_random_split,
       "a Subset for each length; fractions are of the data set's length",
       PAIRS "y = torch.utils.data.random_split(x, [2, 1])", nullptr},
      {Library::torch, DATA "default_collate(batch: any)", Msg::op_collate,
       "tensors and arrays are stacked along a new dim 0, numbers become a tensor, tuples, lists and dictionaries go "
       "part by part",
       "x = torch.arange(6.).view(3, 2)\ny = torch.utils.data.default_collate([x[0], x[2]])", nullptr},
      {Library::torch, DATA "default_convert(data: any)", Msg::op_convert, "arrays become tensors on their memory",
       "y = torch.utils.data.default_convert([np.arange(3), 'a'])", nullptr},
  };
#undef PAIRS
#undef DATA
  return rows;
}

}  // namespace stridescope
