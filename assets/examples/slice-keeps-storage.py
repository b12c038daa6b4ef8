# en: Why does saving a small slice save everything?
# en: A slice is a view: it keeps the whole storage alive, and torch.save writes storages. clone() has a storage of its own, as small as it looks.
# zh: 为什么保存一小片会存下全部？
# zh: 切片是视图：它让整块存储继续存在，而 torch.save 写出的正是存储。clone() 拥有自己的存储，看上去多大就是多大。
# topic: part 1
import torch

big = torch.arange(40).view(5, 8)  # -> new (5, 8):(8, 1)+0
s = big[1:5:2, 1:7:2]  # -> view (2, 3):(16, 2)+9
s.storage().size()  # -> 40
own = s.clone()  # -> copy (2, 3):(3, 1)+0
own.storage().size()  # -> 6
torch.save(s, "slice.pt")  # -> nothing
torch.save(own, "own.pt")  # -> nothing
