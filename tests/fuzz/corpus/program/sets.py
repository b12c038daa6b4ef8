a = {3, 1, 2}
b = set(range(9)) - {i * 7 for i in a} ^ a
a |= {x.data_ptr() for x in [torch.ones(2), torch.ones(2)]}
a.update([1], {2: 3}, "ab"); a.pop()
for v in a: a.add(v + 1)
c = {torch.ones(1), "x"}; len(c), list(c)
if (n := len(b)) > 3: {b.pop(), b.pop(), n}
[m for k in range(3) if (m := k * 2)], m, frozenset([1, (2, None)]) in {frozenset({(2, None), 1})}
sorted({"b", "a"}), {1} < {1, 2} == {2, 1.0}, hash((1, 2.5, -1)), a.symmetric_difference_update(b)
