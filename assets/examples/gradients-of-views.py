# en: How is a gradient laid out?
# en: What backward() leaves in x.grad has the strides of x where the cells of x are dense, and is packed where they have gaps. What was read several times gets a sum.
# zh: 梯度在内存中怎样布局？
# zh: 如果 x 的单元是稠密的，backward() 留在 x.grad 里的梯度与 x 步长相同，有空隙时则紧密排列。被读了几次的元素得到的是几份之和。
# topic: repeat 5
import torch

w = torch.tensor([1., 2., 3.], requires_grad=True)  # -> new (3,):(1,)+0
# en: One row that is read twice: each element gets two gradients.
# zh: 一行读两次：每个元素得到两份梯度。
x = w.expand(2, 3)  # -> view (2, 3):(0, 1)+0
(x * torch.tensor([[1., 2., 3.], [4., 5., 6.]])).sum().backward()  # -> write
w.grad  # -> same (3,):(1,)+0
# en: Down the columns, as t() reads: so does its gradient.
# zh: 像 t() 那样按列走：它的梯度也是如此。
t = torch.arange(6.).view(3, 2).t().requires_grad_()  # -> new (2, 3):(1, 2)+0
(t * t).sum().backward()  # -> write
t.grad  # -> same (2, 3):(1, 2)+0
# en: Every second cell: no reason to keep the gaps.
# zh: 隔一个取一个：没有理由保留空隙。
s = torch.arange(6.)[::2].requires_grad_()  # -> new (3,):(2,)+0
(s * s).sum().backward()  # -> write
s.grad  # -> same (3,):(1,)+0
