# en: einops: which pattern copies?
# en: rearrange is a reshape, a permutation and a second reshape, each only where the pattern needs it. Splitting and reordering axes never copies; joining axes copies where they are no neighbours in memory.
# zh: einops：哪种模式会复制？
# zh: rearrange 就是 reshape、排列、再 reshape，模式用不到的就省去。拆分和重排轴从不复制；合并在内存中不相邻的轴时才复制。
# topic: axes 8
import torch
from einops import rearrange, reduce, repeat

x = torch.arange(2*4*6).view(2, 4, 6)  # -> new (2, 4, 6):(24, 6, 1)+0
y = rearrange(x, 'b h w -> w b h')  # -> view (6, 2, 4):(1, 24, 6)+0
heads = rearrange(x, 'b t (h d) -> b h t d', h=2)  # -> view (2, 2, 4, 3):(24, 3, 6, 1)+0
# en: The way back joins axes that are neighbours again, so nothing moves.
# zh: 返回时合并的轴又是相邻的，所以什么也不移动。
back = rearrange(heads, 'b h t d -> b t (h d)')  # -> view (2, 4, 6):(24, 6, 1)+0
# en: Patches: rows of a patch are no neighbours, so they are copied.
# zh: 图块：同一图块的各行在内存中不相邻，所以要复制。
patches = rearrange(x, 'b (h p) (w q) -> b (h w) (p q)', p=2, q=2)  # -> copy (2, 6, 4):(24, 4, 1)+0
wide = repeat(x, 'b h w -> b h w c', c=3)  # -> view (2, 4, 6, 3):(24, 6, 1, 0)+0
largest = reduce(x, 'b (h p) (w q) -> b h w', 'max', p=2, q=2)  # -> new (2, 2, 3):(6, 3, 1)+0
