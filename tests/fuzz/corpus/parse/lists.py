a = [1, 2]
b = a
b.append([3])
a[0:1] = (x for x in b)
a += b
a.insert(-1, b.pop())
a.sort(key=lambda v: str(v))
a.remove(2)
for v in a: a.append(v)
a[0][0] = a
torch.arange(6).to(torch.device("cpu", 0)).storage()
