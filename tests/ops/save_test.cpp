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

TEST(Save, GivesBackStoragesAsTheyWere) {
  EXPECT_EQ(
      said("x = torch.arange(1000)\ntorch.save(x[:10], 'x.pt')\ny = torch.load('x.pt')"),
      "A new storage of 8\u00A0000 bytes from the file, read as it was saved, (10,):(1,)+0. | The file holds that "
      "storage whole, though the tensor reads only 80 of its 8\u00A0000 bytes. | A new storage: 1\u00A0000 cells × 8 "
      "bytes = 8\u00A0000 bytes. | Saved by itself it keeps its whole storage alive: 8000 bytes, with 990 of "
      "1000 cells out of its reach.");
  // What was written since is not in the file, nor does it reach what was loaded.
  const std::string saved = "import io\nf = io.BytesIO()\nx = torch.zeros(2, 3)\ntorch.save([x, x.t()], f)\nx[:] = 1\n";
  EXPECT_EQ(Ran(saved + "f.seek(0)\na, b = torch.load(f)\na[0, 1] = 5\nb[1, 0].item(), b[0, 0].item()").value(),
            "(5.0, 0.0)");
  EXPECT_EQ(Ran("x = torch.empty(2**30, 2**30)\ntorch.save(x, 'x.pt')\ntorch.load('x.pt')").error(), "ours")
      << "how long the archive is, is not known";
}

TEST(Save, KnowsNoFileButTheProgramsOwn) {
  for (const char* program :
       {"torch.load('x.pt')", "np.load('x.npy')", "np.fromfile('x.bin')", "open('x.bin', 'rb')", "open('x.txt')",
        "open('a/b', 'wb')", "import os\nos.path.getsize('x')", "import os\nos.path.exists('x')",
        "import os\nos.remove('x')", "np.save('x.npy', np.ones(2))\nimport os\nos.remove('x.npy')\nnp.load('x.npy')",
        "torch.save(1, 'x')\ntorch.load('x', map_location='cuda')", "torch.save(1, 'x')\nnp.load('x')",
        "torch.save({1}, 'x')\ntorch.load('x')", "np.savez('x', np.ones(2))\ntorch.load('x.npz')",
        "torch.save(np.ones(2), 'x')\ntorch.load('x')", "np.save('x.npy', 1)\nnp.load('x.npy', mmap_mode='r')"})
    EXPECT_EQ(Ran(program).error(), "ours") << program;
}

TEST(Save, ForgetsWhatIsWrittenOver) {
  const std::string saved = "import io\nf = io.BytesIO()\nnp.save(f, np.arange(3))\n";
  EXPECT_EQ(Ran(saved + "f.seek(0)\ny = np.load(f)").layout("y"), "(3,):(8,)+0");
  for (const char* line : {"f.seek(130)\nf.write(b'a')", "f.truncate(140)", "m = f.getbuffer()"})
    EXPECT_EQ(Ran(saved + line + "\nf.seek(0)\nnp.load(f)").error(), "ours") << line;
  EXPECT_EQ(Ran(saved + "f.write(b'a')\nf.seek(0)\ny = np.load(f)").layout("y"), "(3,):(8,)+0");
}

TEST(Save, SurvivesAProgramThatChangesItsFile) {
  for (const char* line :
       {"f._at = 'a'", "f._at = -5", "f._memory = 3", "f._memory = np.ones(3)", "f._shut = 2", "f.raw = f",
        "f._at = 2**62", "f._memory = None", "f._memory = np.array(5)", "f._memory = np.ones((2, 2), np.uint8)",
        "f._memory = np.broadcast_to(np.uint8(1), (1000,))", "f._memory = np.arange(9, dtype=np.uint8)[::-2]"})
    for (const char* then :
         {"np.save(f, np.ones(2))", "np.load(f)", "torch.save(1, f)", "torch.load(f)", "f.read()", "f.write(b'a')",
          "print(f)", "f.getbuffer()", "f.getvalue()", "np.fromfile(f)", "f.raw.getvalue()", "f.truncate(3)"})
      for (const char* made : {"io.BytesIO(b'abc')", "open('x', 'w+b')"})
        Ran(std::string("import io\nf = ") + made + "\n" + line + "\n" + then + "\nf");
  for (const char* line : {"z.files = 3", "z._held = 3", "z._name = z", "z.files = [1]"})
    Ran(std::string("np.savez('x', np.ones(2))\nz = np.load('x.npz')\n") + line + "\nprint(z)\nz['arr_0']\nlen(z)");
}

TEST(Save, CostsNothingAtAnySize) {
  EXPECT_EQ(Ran("import io\nf = io.BytesIO()\nnp.save(f, np.broadcast_to(np.arange(3), (10**9, 3)))\nf.tell()").value(),
            "24000000128");
  EXPECT_EQ(Ran("import io\nf = io.BytesIO()\nnp.save(f, np.zeros(10**12))\nf.seek(0)\ny = np.load(f)").layout("y"),
            "(1000000000000,):(8,)+0");
  EXPECT_EQ(Ran("import io\nf = io.BytesIO()\nnp.save(f, np.zeros(10**12))\nlen(f.getvalue())").value(),
            "8000000000128");
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
