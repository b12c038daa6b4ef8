// What a file would hold: PyTorch writes storages whole, NumPy the elements alone.
#include "ops/program.h"

namespace stridescope {
namespace {

/// What is said of the last operation.
std::string said(const std::string& program) {
  const Ran run(program);
  if (run.last().error) return run.error();
  std::string text;
  for (const Message& line : run.last().applied.back().why.lines)
    text += (text.empty() ? "" : " | ") + plain(line, Language::english);
  return text;
}

TEST(Save, TakesTheWholeStorageOfASliceAlong) {
  EXPECT_EQ(
      said("x = torch.arange(1000)\ntorch.save(x[:10], 'x.pt')"),
      "The file holds the whole storage, 8\u00A0000 bytes, though the tensor reads only 80 of them. | Of its clone() "
      "the file would hold 80 bytes.");
  EXPECT_EQ(said("x = torch.arange(1000)\ntorch.save(x[:10].clone(), 'x.pt')"),
            "The file holds the storage whole: 80 bytes, all of which the tensor reads.");
}

TEST(Save, HoldsAnExpandedTensorsFewCells) {
  EXPECT_EQ(said("x = torch.arange(4).expand(10**9, 4)\ntorch.save(x, 'x.pt')"),
            "The file holds the storage whole: 32 bytes, all of which the tensor reads.");
}

TEST(Save, HoldsEachStorageOnce) {
  EXPECT_EQ(said("x = torch.arange(10)\ntorch.save({'a': x, 'b': [x[2:], torch.ones(3)], 'c': np.ones(2)}, 'x.pt')"),
            "The file holds 2 storages, whole and each once: 92 bytes for 3 tensors.");
  EXPECT_EQ(said("torch.save([1, 'a', None, True, 2.5, torch.float32], 'x.pt')"),
            "Writes a value to a file; a tensor takes its whole storage with it.");
  EXPECT_EQ(said("torch.save([torch.empty(2**60), torch.empty(2**60)], 'x.pt')"), "ours") << "beyond int64_t";
}

TEST(Save, NeedsAFileItKnows) {
  EXPECT_EQ(said("torch.save(torch.ones(2), 3)"),
            "AttributeError: expected 'f' to be string, path, or a file-like object with a 'write' attribute");
  for (const char* program :
       {"torch.save(torch.ones(2), 'models/x.pt')", "torch.save(torch.ones(2), '')", "torch.save(print, 'x.pt')",
        "torch.save({'a': 1}.keys(), 'x.pt')", "torch.save(torch.ones(2), 'x.pt', copy)", "np.save('a/b', np.ones(2))",
        "np.save(b'b', np.ones(2))"})
    EXPECT_EQ(said(std::string("import copy\n") + program), "ours") << program;
  EXPECT_EQ(said("np.save(3, np.ones(2))"), "TypeError: expected str, bytes or os.PathLike object, not int");
}

TEST(Save, WritesAnArraysElementsAlone) {
  EXPECT_EQ(said("x = np.arange(1000)\nnp.save('x.npy', x[::100])"),
            "The file holds the elements alone: 10 × 8 bytes = 80 bytes, in C order. | The rest of the memory that it "
            "reads, 8\u00A0000 bytes in all, is not written.");
  EXPECT_EQ(said("x = np.arange(6, dtype=np.int8).reshape(2, 3)\nnp.save('x.npy', x.T)"),
            "The file holds the elements alone: 6 × 1 byte = 6 bytes, in F order.");
  EXPECT_EQ(said("np.save('x.npy', [1, 2])"), "The file holds the elements alone: 2 × 8 bytes = 16 bytes, in C order.");
}

}  // namespace
}  // namespace stridescope
