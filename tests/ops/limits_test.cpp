// What a program may ask for in all: every limit has an answer of ours.
#include <algorithm>

#include "ops/program.h"

namespace stridescope {
namespace {

TEST(Limits, RepeatingLongStringsIsBoundedByTheirBytes) {
  EXPECT_EQ(Ran("s = 'ab' * 2048\nt = [s] * 64").error(), "");
  EXPECT_EQ(Ran("s = 'ab' * 2048\nt = [s] * 65").error(), "ours");
  EXPECT_EQ(Ran("t = [1] * 4096").error(), "");
  EXPECT_EQ(Ran("t = [1] * 4097").error(), "ours");
}

TEST(Limits, AMaskIsExpandedToThePlacesOfWhatIsTrue) {
  EXPECT_EQ(Ran("x = torch.arange(12).view(3, 4)\ny = x[x % 5 == 0]").values("y"), "0 5 10");
  EXPECT_EQ(Ran("x = torch.arange(24).view(2, 3, 4)\ny = x[x[:, :, 0] > 7]").layout("y"), "(4, 4):(4, 1)+0");
}

TEST(Limits, ValuesTakeSoManyStepsInAll) {
  const auto product = [](int rounds) {
    return Ran("def f(x):\n    for i in range(" + std::to_string(rounds) +
               "):\n        y = x @ x\n    return y\ny = f(torch.ones(100, 100))\ny[0, 0]");
  };
  EXPECT_EQ(product(10).values("y").substr(0, 5), "100.0");
  EXPECT_TRUE(leaves_unknown(product(20).last()));
  EXPECT_EQ(product(20).layout("y"), "(100, 100):(100, 1)+0");
}

/// The id of why the last statement was refused by us; nothing where it was not.
std::optional<Msg> refused(const char* program) {
  const Ran ran(program);
  const auto& error = ran.last().error;
  return error && !error->raised ? std::optional(error->reason.id) : std::nullopt;
}

TEST(Limits, WhatIsTooMuchToLookAtOneByOneIsRefusedAndNotReckoned) {
  const auto is_refused = [](Msg reason, std::initializer_list<const char*> lines) {
    for (const char* line : lines)
      EXPECT_EQ(refused((std::string("x = torch.zeros(300, 300)\nv = torch.arange(70000)\nu = torch.ones(70000, "
                                     "dtype=torch.int64)\n") +
                         line)
                            .c_str()),
                reason)
          << line;
  };
  is_refused(
      Msg::too_many_indices,
      {"x.nonzero()", "x.masked_select(x > 0)", "x.take(v)", "x[x > 0]", "v[v]", "v[u] = 1", "v.index_select(0, v)",
       "v.gather(0, v)", "v.repeat_interleave(u)", "torch.repeat_interleave(u)",
       "torch.combinations(torch.arange(500))", "v.unique()", "v.scatter(0, v, 1)", "torch.nn.functional.one_hot(v)",
       "torch.repeat_interleave(torch.tensor([70000]))", "u[:1].repeat_interleave(torch.tensor([70000]))",
       "torch.linspace(0, 1j, 5000)", "torch.tensor([np.arange(70000)])", "v.view(70000, 1).expand(70000, 70000)[v]"});
  is_refused(Msg::too_many_summed, {"torch.equal(v, v)", "torch.bincount(torch.tensor([2**40]))",
                                    "torch.bincount(torch.tensor([9223372036854775807]))"});
  is_refused(Msg::too_many_items,
             {"v.tolist()", "v.storage().tolist()", "torch.tril_indices(5000, 5000)", "[1] * 5000", "range(5000)",
              "torch.tril_indices(100, 100)", "[1] * 4000 + [2] * 4000", "'ab' * 2000 + 'cd' * 2000"});
  is_refused(Msg::too_many_pieces,
             {"v.split(1)", "v.chunk(2000)", "v.tensor_split(2000)", "v.unbind()", "v.tensor_split(torch.arange(65))"});
  is_refused(Msg::too_many_iterations,
             {"[i for i in torch.arange(20000)]", "[i for i in range(200) for j in range(200)]", "7 in v"});
}

TEST(Limits, WhatPyTorchDoesButIsNotModelledIsRefusedInOurWords) {
  for (const char* line :
       {"torch.einsum(torch.eye(2), [0, 1])",
        "torch.full((17, 2), float('nan')).unique(dim=0)",
        "torch.tensordot(torch.eye(2), torch.eye(2), torch.eye(2))",
        "torch.nn.functional.pad(torch.zeros(2, 3, 0), (0, 0), mode='circular')",
        "torch.nn.functional.linear(torch.ones(2, 3, 0), torch.ones(4, 0), torch.ones(4))",
        "torch.from_numpy(np.zeros(17, np.uint8)[1:].view(np.float64))",
        "torch.zeros(3, dtype=torch.complex64).conj().select_scatter(torch.zeros(()), 0, 1)",
        "torch.nn.functional.pad(torch.arange(6.).view(1, 2, 3), (-2, 2), mode='circular')",
        "torch.nn.functional.pad(torch.zeros(1, 2, 3), (-4, 0), mode='circular')",
        "torch.view_as_complex(torch.zeros(2, 2, dtype=torch.float16))",
        "torch.zeros(9, dtype=torch.uint8)[:8].view(torch.float32).select_scatter(torch.tensor(1.), 0, 0)",
        "torch.complex(torch.zeros(2, dtype=torch.float16), torch.zeros(2, dtype=torch.float16))",
        "torch.device('cuda:200')",
        "torch.device('cuda', 200)",
        "torch.frombuffer(b'abcd', dtype=torch.uint8)",
        "torch.ones(2, 3).dim_order(ambiguity_check=[torch.contiguous_format])",
        "torch.asarray(b'ab')",
        "torch.asarray(torch.ones(2), device='meta')",
        "torch.rand(2, generator=3)",
        "torch.zeros(2, device='meta')",
        "torch.ones(2, 3).to(torch.uint16)[:, ::2].flip(1)",
        "[*range(4090), *range(9)]",
        "max(*range(4090), *range(9))",
        "torch.nn.Flatten()(np.zeros((2, 3)))",
        "torch.nn.functional.adaptive_avg_pool2d(torch.zeros(1, 2, 3, 2, 2).to(memory_format=torch.channels_last_3d), "
        "1)",
        "torch.nn.functional.batch_norm(torch.zeros(0, 3), None, None, torch.ones(3, 1), training=True)",
        "torch.nn.functional.batch_norm(torch.zeros(0, 3).long(), torch.ones(3), torch.ones(3), torch.ones(3))",
        "torch.nn.functional.scaled_dot_product_attention(torch.ones(1, 4, 2, 2), torch.ones(1, 3, 2, 2), "
        "torch.ones(1, 3, 2, 2), enable_gqa=True)",
        "f = [lambda: i for i in range(3)]",
        "@np.sum\ndef f(): pass"})
    EXPECT_EQ(Ran(line).error(), "ours") << line;
}

TEST(Limits, WhatIsLeftOutIsNotTakenForAnErrorOfTheLibrary) {
  for (const char* line : {"divmod(t, a)",
                           "pow(2, 3, modulus=5)",
                           "t.device is t.device",
                           "np.float64(2) is np.float64(2)",
                           "s = np.float64(2)\ns is s",
                           "{1: 2}.items() ^ {1: 3}.items()",
                           "ValueError('a', 1)",
                           "ValueError(5)",
                           "d = {}\nd.update(a=d)",
                           "d = {}\nd.update([('a', d)])",
                           "d = {}\nd.setdefault('a', d)",
                           "'%c' % 0xD800",
                           "'%99999d' % 1",
                           "'%.99999d' % 1",
                           "'%4000d%4000d' % (1, 2)",
                           "torch.argsort(t, out=torch.zeros(3, dtype=torch.int64))",
                           "torch.sum(t, out=torch.zeros(()))",
                           "torch.add(t, 1, out=torch.zeros(2))",
                           "torch.add(t, 1, out=t.double())",
                           "torch.add(t, 1, out=t[:2])",
                           "torch.add(t, 1, out=a)",
                           "np.flip(t)",
                           "np.split(t, 3)",
                           "np.size(t)",
                           "np.zeros_like(t.view(1, 3).expand(2, 3))",
                           "np.result_type(t, 1)",
                           "np.result_type(a, t)",
                           "np.arange(a[:1], (2,))",
                           "a.repeat('2')",
                           "np.rollaxis(np.int8, 0)",
                           "np.tri(2**62 * 1.)",
                           "np.lib.stride_tricks.sliding_window_view(np.ones((2, 2)), np.ones((2, 2)))",
                           "torch.nn.functional.dropout(t, torch.tensor([2.]))",
                           "t.untyped_storage()[1:2]",
                           "torch.nn.Dropout(torch.tensor(0.5))",
                           "np.mgrid[3]",
                           "np.mgrid[0:'a']",
                           "np.r_['a']",
                           "np.indices((2,), sparse=True)",
                           "np.insert(a, np.array([1, 2], dtype=np.uint8), 9)",
                           "np.insert(a, 2**63 - 1, a)",
                           "np.delete(np.zeros(70000), 1)",
                           "np.delete(a, np.zeros(5000, dtype=int))",
                           "np.compress([1, 0], a, out=np.zeros(1))",
                           "np.trim_zeros(np.zeros(70000))",
                           "np.choose(np.zeros(70000, dtype=int), [1, 2])",
                           "np.rot90(np.ones((2, 2)), axes=(0.0, 1))",
                           "np.rollaxis(np.ones((2, 2)), 1, np.array(0.))",
                           "np.nditer(a, flags=['buffered'])",
                           "np.nditer(a, op_flags=['readonly', 'copy'])",
                           "np.nditer(a, op_axes=[[0]])",
                           "np.nditer(np.zeros(70000))",
                           "np.nditer(a)[::2]",
                           "np.nditer(a).itviews",
                           "np.nditer(a).copy(1)",
                           "np.add.reduceat(a, [[0]])",
                           "np.add.reduceat(a, [0], axis=(0,))",
                           "np.array_repr(a, 20)",
                           "np.array2string(a, separator=', ')",
                           "np.testing.assert_equal(1j, 1j)",
                           "np.testing.assert_almost_equal(1j, 1j)",
                           "torch.testing.assert_close([t], [t])",
                           "torch.testing.assert_close(t[0] * 1j, t[1] * 1j)",
                           "'a'.splitlines(True)",
                           "np.linalg.norm(np.ones(3, np.float16), 3)",
                           "np.arange(1, 5, dtype='datetime64[D]')",
                           "b'ab'.hex(3)",
                           "np.iinfo(np.uint64).max",
                           "t.half() * 1j",
                           "torch.median(torch.zeros(0, dtype=torch.int64))",
                           "torch.unravel_index(torch.tensor([1]), (2**40, 2**40))",
                           "torch.unravel_index(torch.tensor([1], dtype=torch.uint16), (2, 3))",
                           "torch.zeros(70000).put(torch.arange(70000), torch.zeros(70000))",
                           "torch.zeros(70000).index_put((torch.arange(70000),), torch.zeros(70000))",
                           "torch.frombuffer(b'abcd', dtype=torch.uint8)",
                           "torch.isin(torch.zeros(70000), torch.zeros(70000))",
                           "torch.searchsorted(t, torch.zeros(2000000))",
                           "range(-2**63, -2**63 + 4000)[::-2**62]",
                           "range(2**63 - 4, 2**63 - 1, 2)[1:][1:]",
                           "complex('1')",
                           "int('9' * 30)",
                           "del t.grad",
                           "math.isclose(1, 1)"})
    EXPECT_EQ(Ran(std::string("import math\nt = torch.arange(3.)\na = np.arange(3.)\n") + line).error(), "ours")
        << line;
}

TEST(Limits, ATensorHasAtMostSixtyFourDimensions) {
  const std::string whole = "x = torch.zeros([1] * 64)\nv = torch.zeros(1)\n";
  for (const char* line : {"torch.zeros([1] * 65)",
                           "v.view([1] * 65)",
                           "v.expand([1] * 65)",
                           "v.repeat([1] * 65)",
                           "v.repeat([1] * 40)",
                           "v.unflatten(0, [1] * 65)",
                           "x.unflatten(0, (1, 1))",
                           "x.unsqueeze(0)",
                           "x[None]",
                           "x[:, [0], None]",
                           "x[torch.zeros(1, 1).long()]",
                           "x[..., True]",
                           "x.unfold(0, 1, 1)",
                           "torch.stack([x, x])",
                           "x.repeat_interleave(1, 0)",
                           "torch.tensordot(x, v, 0)",
                           "torch.nn.functional.one_hot(x.long())",
                           "torch.nn.functional.pixel_shuffle(x[0], 1)",
                           "torch.nn.functional.pad(v, [0] * 66)",
                           "torch.einsum('...i,...j->...ij', x, v)",
                           "x.diag_embed()",
                           "torch.view_as_real(x.to(torch.complex64))",

                           "torch.broadcast_shapes([1] * 65)",
                           "torch.meshgrid(*[v] * 65, indexing='ij')",
                           "torch.tensordot(v, v, ([0] * 65, [0] * 65))",
                           "torch.Tensor(*[1] * 65)",
                           "torch.cartesian_prod(*[v] * 65)"})
    EXPECT_EQ(Ran(whole + line).error(), "ours") << line;
}

TEST(Limits, AWholeTensorOfSixtyFourDimensionsIsStillWritten) {
  EXPECT_EQ(Ran("x = torch.zeros([1] * 64)\nx[True] = 5").values("x"), "5.0");
}

TEST(Limits, ANumberBeyond64BitsIsRefused) {
  for (const char* line : {"0 - (-9223372036854775807 - 1)",
                           "(-9223372036854775807 - 1) // -1",
                           "-(-9223372036854775807 - 1)",
                           "3 ** 99",
                           "(2 ** 40) ** 2",
                           "(10 ** 10) ** 4",
                           "1 << 63",
                           "3 << 62",
                           "9223372036854775807 + 1",
                           "9223372036854775807 * 2",
                           "int(1e19)",
                           "int('9223372036854775807000')",
                           "round(1e19)",
                           "list(enumerate([1, 2], 9223372036854775807))",
                           "torch.arange(0, 1e30)",
                           "torch.arange(-9223372036854775807 - 1, 5)",
                           "torch.arange(-5, 9223372036854775807)",

                           "torch.zeros(1).expand(2**40, 1) + torch.zeros(1).expand(1, 2**40)",
                           "torch.zeros(2, 3)[::2**62]",
                           "torch.arange(6).view(2, 3)[[0], ::2**61]",
                           "torch.arange(6).view(2, 3).unfold(0, 1, 2**62)",
                           "torch.cat([torch.zeros(1, dtype=torch.int8).expand(2**62)] * 2)",
                           "torch.cartesian_prod(torch.zeros(1).expand(2**40), torch.zeros(1).expand(2**40))",
                           "torch.nn.functional.pad(torch.zeros(3), (2**62, 2**62))",
                           "torch.zeros(3).repeat(9223372036854775807)",
                           "torch.zeros(3).repeat_interleave(9223372036854775807)",
                           "torch.arange(3).diag(9223372036854775807)",
                           "torch.ones(1, 2).diag_embed(9223372036854775807)",

                           "torch.nn.functional.unfold(torch.zeros(1, 1, 2, 2), 3, dilation=2**62)",
                           "torch.nn.functional.unfold(torch.zeros(1, 1, 2, 2), 2, dilation=9223372036854775807)",
                           "torch.nn.functional.unfold(torch.zeros(1, 1, 2, 2), 2, padding=2**62)",
                           "torch.nn.functional.pixel_shuffle(torch.zeros(4, 1, 1), 2**33)",
                           "torch.nn.functional.one_hot(torch.tensor([9223372036854775807]))",
                           "torch.nn.functional.pad(torch.zeros(1, 1, 3), (2**62, 2**62), mode='replicate')",
                           "torch.zeros(1, dtype=torch.complex64).as_strided((1,), (2**62,)).real",
                           "torch.zeros(1, dtype=torch.complex64).as_strided((1,), (2**62,)).angle()",
                           "torch.isreal(torch.zeros(1, dtype=torch.complex64).as_strided((1,), (2**62,)))",
                           "math.gcd(-9223372036854775807 - 1, 2)",
                           "math.lcm(2**40, 3**30)",
                           "math.comb(100, 50)",
                           "7 ** 30",
                           "np.diag(np.zeros(3), 9223372036854775807)",

                           "torch.zeros(2**31, 1) + torch.zeros(2**31)",
                           "torch.zeros(1).expand(2**40, 1) + torch.zeros(1).expand(2**40)",
                           "torch.Size([2**40, 2**40]).numel()",
                           "torch.arange(6)[2:].resize_(2**60 - 1)",
                           "torch.arange(0, 1e30, dtype=torch.int64)"})
    EXPECT_EQ(Ran(std::string("import math\n") + line).error(), "ours") << line;
}

TEST(Limits, WhatIsLargerThanAStorageCanBeFailsAsInPyTorch) {
  const std::pair<const char*, const char*> lines[] = {
      {"torch.nn.functional.unfold(torch.zeros(1, 1, 2, 2), 2, padding=2**61)",
       "[1, 1, 4611686018427387906, 4611686018427387906]"},
      {"torch.nn.functional.unfold(torch.zeros(1).expand(1, 1, 2**30, 2**28), 2**14)",
       "[1, 268435456, 288208387529736193]"},
      {"torch.nn.functional.pixel_shuffle(torch.zeros(1).expand(4, 2**30, 2**30), 2)", "[1, 2147483648, 2147483648]"},
      {"torch.nn.functional.one_hot(torch.tensor([2**62]))", "[1, 4611686018427387905]"},
      {"torch.nn.functional.pad(torch.zeros(3), (2**60, 2**60))", "[2305843009213693955]"},
      {"torch.nn.functional.pad(torch.zeros(1, 1, 3), (2**60, 2**60), mode='replicate')",
       "[1, 1, 2305843009213693955]"},
      {"torch.block_diag(torch.zeros(2, 1).expand(2, 2**40), torch.zeros(1).expand(2**40, 2))",
       "[1099511627778, 1099511627778]"},
      {"torch.cartesian_prod(torch.zeros(1).expand(2**30), torch.zeros(1).expand(2**30))", "[1152921504606846976, 2]"},
      {"torch.cat([torch.zeros(1).expand(2**60)] * 4)", "[4611686018427387904]"},
      {"torch.linspace(0, 1, 2**62)", "[4611686018427387904]"},
      {"torch.zeros(1).expand(2**50).repeat_interleave(2**12)", "[4611686018427387904]"},
      {"torch.zeros(1, 1).expand(2, 2**59).repeat_interleave(torch.tensor([2, 2]), 0)", "[4, 576460752303423488]"}};
  for (const auto& [line, sizes] : lines)
    EXPECT_EQ(Ran(line).error(), std::string("RuntimeError: Storage size calculation overflowed with sizes=") + sizes)
        << line;
}

TEST(Limits, AProgramEndsWhereItHasDoneAsMuchAsItMay) {
  EXPECT_EQ(refused("[k for k in np.zeros(20000).flat]"), Msg::too_many_iterations);
  EXPECT_EQ(refused("[k for k in np.zeros((300, 1))]"), Msg::too_many_operations);
  EXPECT_EQ(refused("[i for i in torch.arange(2000)]"), Msg::too_many_pieces);
  EXPECT_EQ(refused("x = [0] * 4000\n(x, [x], x)"), Msg::too_many_nested);
  EXPECT_EQ(refused("x = [[0] * 4000]\nx += x + x"), Msg::too_many_nested);
  EXPECT_EQ(Ran("x = (1,)\nfor i in range(40): x = (x, x)\nprint(x)").trace.steps.size(), 82u) << "at once";
  std::string long_text = "s = 'a' * 4000\nf'";
  for (int i = 0; i < 17; ++i) long_text += "{s}";
  EXPECT_EQ(refused((long_text + "'").c_str()), Msg::too_many_items);
  EXPECT_EQ(refused("{i: i for i in range(2000)}"), Msg::too_many_keys);
  EXPECT_EQ(refused("{('a' * 4000,) * 50: 1}"), Msg::key_unread);
  EXPECT_EQ(refused("{len: 1}"), Msg::key_unread);
  EXPECT_EQ(refused("d = {}\nd['a'] = [d]"), Msg::holds_itself);
  EXPECT_EQ(refused("d = {}\nd['a'] = d.values()"), Msg::holds_itself);
  // Filled from the outside in, each holds the next twice.
  std::string nested = "d = [{} for i in range(40)]\n";
  for (int i = 0; i < 39; ++i)
    nested += "d" + std::to_string(i) + " = d[" + std::to_string(i) + "]\n" + "d" + std::to_string(i + 1) + " = d[" +
              std::to_string(i + 1) + "]\nd" + std::to_string(i) + "['a'] = d" + std::to_string(i + 1) + "\nd" +
              std::to_string(i) + "['b'] = d" + std::to_string(i + 1) + "\n";
  const Ran filled(nested);
  EXPECT_TRUE(std::any_of(filled.trace.steps.begin(), filled.trace.steps.end(), [](const Step& step) {
    return step.error && step.error->reason.id == Msg::too_many_nested;
  }));
  EXPECT_EQ(refused("torch.diff(torch.zeros(100), 65)"), Msg::too_costly);
  // 2048 names are followed, members of lists among them.
  EXPECT_EQ(Ran("x = torch.zeros(1)\ny = [x] * 2500\nz = x").last().names.size(), 2048U);
}

}  // namespace
}  // namespace stridescope
