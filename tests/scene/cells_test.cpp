// In which cells a storage is drawn, and which of them elements are.
#include <gtest/gtest.h>

#include "scene/lab.h"
#include "scene/picture.h"
#include "scene/promises.h"
#include "stridescope.h"

namespace stridescope {
namespace {

/// "4 float32: 1.0 2.0 3.0 4.0 | 2.0 4.0 at (2,):(2,)+1": the cells of a storage with what is there, and the elements
/// with what is read and where each begins; "x3" where an element covers three cells.
std::string told(const Reading& reading) {
  std::string text = std::to_string(reading.cells) + " " + std::string(name(reading.cell_dtype)) + ":";
  for (int64_t cell = 0; cell < reading.cells; ++cell) text += " " + cell_label(reading, cell);
  text += " |";
  for (int64_t element = 0; element < reading.count; ++element) text += " " + element_label(reading, element);
  text += " at " + to_string(reading.layout);
  return reading.span == 1 ? text : text + " x" + std::to_string(reading.span);
}

std::string told(const std::string& program) { return told(*compose_picture(evaluate(program), {}).subject); }

const std::string complex_torch = "z = torch.tensor([1+2j, 3+4j])\n", complex_numpy = "z = np.array([1+2j, 3+4j])\n";

TEST(Cells, AreTheStoragesOwnWhereElementsAre) {
  EXPECT_EQ(told("x = torch.arange(4)[1::2]"), "4 int64: 0 1 2 3 | 1 3 at (2,):(2,)+1");
  EXPECT_EQ(told("a = np.arange(4, dtype='i2')[::-2]"), "4 int16: 0 1 2 3 | 3 1 at (2,):(-2,)+3");
  EXPECT_EQ(told(complex_torch + "y = z.t()"), "2 complex64: 1+2j 3+4j | 1+2j 3+4j at (2,):(1,)+0");
}

TEST(Cells, AreBytesWhereTheOrderOfThoseIsAnother) {
  EXPECT_EQ(told("a = np.arange(3, dtype='>i2')[::-1]"), "6 uint8: 0 0 0 1 0 2 | 2 1 0 at (3,):(-2,)+4 x2");
  EXPECT_EQ(told("a = np.arange(3, dtype='i2').view('>i2')"), "6 uint8: 0 0 1 0 2 0 | 0 256 512 at (3,):(2,)+0 x2");
  EXPECT_EQ(told("a = np.arange(2, dtype='>i2').view('<i2')"), "4 uint8: 0 0 0 1 | 0 256 at (2,):(2,)+0 x2");
}

TEST(Cells, OfStructuresShowWhatTheirFieldsHold) {
  EXPECT_EQ(told("a = np.array([(1, [2, 3])], dtype=[('x', 'i4'), ('y', 'i4', (2,))])"),
            "3 uint32: 1 2 3 | (1, […]) at (1,):(3,)+0 x3");
  EXPECT_EQ(told("a = np.array([(1, (2, 3))], dtype=[('x', 'i4'), ('y', [('z', 'i4'), ('w', 'i4')])])"),
            "3 uint32: 1 2 3 | (1, (2, 3)) at (1,):(3,)+0 x3");
}

TEST(Cells, AreThePartsOfComplexNumbersWhereOneOfThemIsRead) {
  EXPECT_EQ(told(complex_torch + "y = z.real"), "4 float32: 1.0 2.0 3.0 4.0 | 1.0 3.0 at (2,):(2,)+0");
  EXPECT_EQ(told(complex_torch + "y = z.imag"), "4 float32: 1.0 2.0 3.0 4.0 | 2.0 4.0 at (2,):(2,)+1");
  EXPECT_EQ(told(complex_numpy + "y = z.real"), "4 float64: 1.0 2.0 3.0 4.0 | 1.0 3.0 at (2,):(2,)+0");
  EXPECT_EQ(told(complex_numpy + "y = z.imag[::-1]"), "4 float64: 1.0 2.0 3.0 4.0 | 4.0 2.0 at (2,):(-2,)+3");
  EXPECT_EQ(told(complex_torch + "y = torch.view_as_real(z).t()"),
            "4 float32: 1.0 2.0 3.0 4.0 | 1.0 3.0 2.0 4.0 at (2, 2):(1, 2)+0");
  EXPECT_EQ(told("x = torch.tensor([1., 2, 3, 4]).view(2, 2)\nz = torch.view_as_complex(x)"),
            "4 float32: 1.0 2.0 3.0 4.0 | 1+2j 3+4j at (2,):(2,)+0 x2");
}

TEST(Cells, AreTheNarrowerOfWhatWasWrittenAndWhatIsRead) {
  EXPECT_EQ(told("y = torch.tensor([1, -1]).view(torch.int32)"), "4 int32: 1 0 -1 -1 | 1 0 -1 -1 at (4,):(1,)+0");
  EXPECT_EQ(told("y = torch.tensor([1, 0, 2, 0], dtype=torch.int32).view(torch.int64)"),
            "4 int32: 1 0 2 0 | 1 2 at (2,):(2,)+0 x2");
  EXPECT_EQ(told("b = np.array([1, 65536], 'i4').view('u2')[1:]"), "4 uint16: 1 0 0 1 | 0 0 1 at (3,):(1,)+1");
  EXPECT_EQ(told("b = np.array([1, 0, 2, 0], 'i2').view('i4')"), "4 int16: 1 0 2 0 | 1 2 at (2,):(2,)+0 x2");
  EXPECT_EQ(told("b = np.arange(16, dtype='u1').view('u8')[1:]"),
            "16 uint8: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 | 1084818905618843912 at (1,):(8,)+8 x8");
}

TEST(Cells, ShowWhatIsThereAndTheGridWhatIsRead) {
  EXPECT_EQ(told("y = torch.tensor([1., 2.]).view(torch.int32)"),
            "2 float32: 1.0 2.0 | 1065353216 1073741824 at (2,):(1,)+0");
  EXPECT_EQ(told(complex_torch + "y = z.conj()"), "2 complex64: 1+2j 3+4j | 1-2j 3-4j at (2,):(1,)+0");
  EXPECT_EQ(told(complex_torch + "y = z.conj().imag"), "4 float32: 1.0 2.0 3.0 4.0 | -2.0 -4.0 at (2,):(2,)+1");
  const Trace trace = evaluate("f = torch.tensor([1., 2.])\ny = f.view(torch.int32)");
  ViewState view;
  view.figures = figure_grid | figure_strip;
  std::string strip, grid;
  for (const Item& item : draw(trace, view).items)
    if (const auto* text = std::get_if<Text>(&item.shape); text && item.role == Role::cell_text)
      (item.target.kind == Target::Kind::cell ? strip : grid) += text->text + " ";
  EXPECT_EQ(strip, "1.0 2.0 ");
  EXPECT_EQ(grid, "1065353216 1073741824 ");
}

TEST(Cells, AreSmallerOnlyWhereElementsLieAcrossThem) {
  const std::string strided = "a = np.arange(2)\nb = np.lib.stride_tricks.as_strided(a, ";
  EXPECT_EQ(told(strided + "(2, 1), (8, 3))"), "2 int64: 0 1 | 0 1 at (2, 1):(1, 0)+0") << "nothing goes along axis 1";
  EXPECT_EQ(told(strided + "(3,), (4,))"), "4 uint32: 0 0 1 0 | 0 4294967296 1 at (3,):(1,)+0 x2");
  EXPECT_EQ(told(strided + "(3,), (2,))"),
            "8 uint16: 0 0 0 0 1 0 0 0 | 0 281474976710656 4294967296 at (3,):(1,)+0 x4");
  EXPECT_EQ(told("a = np.arange(2, dtype='i4')\nb = a.view('u1')[1:5].view('i4')"),
            "8 uint8: 0 0 0 0 1 0 0 0 | 16777216 at (1,):(4,)+1 x4");
  EXPECT_EQ(told("x = torch.zeros(3)[3:].view(torch.int16)"), "6 int16: 0 0 0 0 0 0 | at (0,):(1,)+6");
}

TEST(Cells, OfOneStorageAreOfOneKindInAPicture) {
  ViewState view;
  view.figures = figure_all | figure_before | figure_sharing;
  const auto pictured = [&](const std::string& program) {
    const Trace trace = evaluate(program);
    Picture picture = compose_picture(trace, view);
    std::vector<std::string> all;
    for (const Reading* reading : picture.readings()) all.push_back(reading->name + ": " + told(*reading));
    return all;
  };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(pictured("x = torch.arange(2)\ny = x.view(torch.int32)"),
            (Lines{"y: 4 int32: 0 0 1 0 | 0 0 1 0 at (4,):(1,)+0", "x: 4 int32: 0 0 1 0 | 0 1 at (2,):(2,)+0 x2"}));
  EXPECT_EQ(pictured("f = np.array([1., 2.], 'f4')\ng = f.view('i4')"),
            (Lines{"g: 2 float32: 1.0 2.0 | 1065353216 1073741824 at (2,):(1,)+0",
                   "f: 2 float32: 1.0 2.0 | 1.0 2.0 at (2,):(1,)+0"}));
  EXPECT_EQ(pictured(complex_torch + "y = z.imag\ny.fill_(7)"),
            (Lines{"y: 4 float32: 1.0 7.0 3.0 7.0 | 7.0 7.0 at (2,):(2,)+1",
                   "y before: 4 float32: 1.0 2.0 3.0 4.0 | 2.0 4.0 at (2,):(2,)+1",
                   "z: 4 float32: 1.0 7.0 3.0 7.0 | 1+7j 3+7j at (2,):(2,)+0 x2"}));
  EXPECT_EQ(pictured(complex_numpy + "y = z.imag\nz *= 2"),
            (Lines{"z: 4 float64: 2.0 4.0 6.0 8.0 | 2+4j 6+8j at (2,):(2,)+0 x2",
                   "z before: 4 float64: 1.0 2.0 3.0 4.0 | 1+2j 3+4j at (2,):(2,)+0 x2",
                   "y: 4 float64: 2.0 4.0 6.0 8.0 | 4.0 8.0 at (2,):(2,)+1"}));
  EXPECT_EQ(pictured("x = torch.arange(2)\nh = x.view(torch.int16)\ny = x.view(torch.int32)")[0],
            "y: 8 int16: 0 0 0 0 1 0 0 0 | 0 0 1 0 at (4,):(2,)+0 x2")
      << "as the narrowest reads them";
  EXPECT_EQ(pictured("x = torch.arange(2)[1:]\ng = x.view(torch.float32)\ny = x.view(torch.int32)"),
            (Lines{"y: 4 int32: 0 0 1 0 | 1 0 at (2,):(1,)+2", "x: 4 int32: 0 0 1 0 | 1 at (1,):(2,)+2 x2",
                   "g: 4 int32: 0 0 1 0 | 1e-45 0.0 at (2,):(1,)+2"}))
      << "as the subject reads them, where others read as narrow cells otherwise";
  EXPECT_EQ(pictured(complex_torch + "y = z.imag.clone()"),
            (Lines{"y: 2 float32: 2.0 4.0 | 2.0 4.0 at (2,):(1,)+0",
                   "z.imag: 4 float32: 1.0 2.0 3.0 4.0 | 2.0 4.0 at (2,):(2,)+1",
                   "z.imag: 4 float32: 1.0 2.0 3.0 4.0 | 2.0 4.0 at (2,):(2,)+1"}));
}

TEST(Cells, KnowEveryElementThatCoversThem) {
  const Trace trace = evaluate("a = np.arange(2)\nb = np.lib.stride_tricks.as_strided(a, (3,), (2,))");
  const Reading windows = *compose_picture(trace, {}).subject;
  const std::vector<std::vector<int64_t>> expected{{0}, {0, 1}, {0, 1, 2}, {0, 1, 2}, {1, 2}, {2}, {}, {}};
  for (int64_t cell = 0; cell < windows.cells; ++cell)
    EXPECT_EQ(windows.readers_of(cell, 9), expected[static_cast<size_t>(cell)]) << cell;
  EXPECT_EQ(windows.uncovered(), 2);
  const Trace other = evaluate("x = torch.tensor([1., 2, 3, 4]).view(torch.complex64).expand(3, 2)");
  const Reading pairs = *compose_picture(other, {}).subject;
  EXPECT_EQ(pairs.readers_of(3, 9), (std::vector<int64_t>{1, 3, 5}));
  EXPECT_EQ(pairs.uncovered(), 0);
}

TEST(Cells, OfAnElementLightUpWithItAndLeadToIt) {
  using Targets = std::vector<std::string>;
  const Trace trace = evaluate(complex_torch + "y = z.imag\ny.fill_(7)");
  const int z = trace.steps[2].names[0].tensor->object, y = trace.steps[2].names[1].tensor->object;
  const auto element = [](int object, int k) { return "element:" + std::to_string(object) + ":" + std::to_string(k); };
  const auto cell = [&](int64_t k) { return Target{Target::Kind::cell, 0, k}; };
  EXPECT_EQ(lab::lit(trace, {Target::Kind::element, z, 1}),
            (Targets{"cell:0:2", "cell:0:3", element(z, 1), element(y, 1)}));
  EXPECT_EQ(lab::lit(trace, {Target::Kind::element, y, 1}), (Targets{"cell:0:3", element(z, 1), element(y, 1)}));
  EXPECT_EQ(lab::lit(trace, cell(2)), (Targets{"cell:0:2", element(z, 1)}));
  EXPECT_EQ(lab::lit(trace, cell(4)), Targets{});
  EXPECT_EQ(reader(trace, {}, cell(3)), "1");
  EXPECT_EQ(reader(trace, {}, cell(2)), "");
  const Trace alone = evaluate(complex_torch + "y = z.imag\nw = y[:1]");
  EXPECT_EQ(lab::lit(alone, {Target::Kind::element, z, 0}), (Targets{"cell:0:0", "cell:0:1", element(y + 1, 0)}))
      << "of a tensor that is not drawn";
  const Trace wide = evaluate("x = torch.arange(8, dtype=torch.uint8)\ny = x.view(torch.int32)");
  for (int64_t k = 0; k < 8; ++k) EXPECT_EQ(reader(wide, {}, cell(k)), k < 4 ? "0" : "1") << k;
}

std::string words_of(const Scene& scene) {
  std::string all;
  for (const Item& item : scene.items)
    if (const auto* text = std::get_if<Text>(&item.shape)) all += text->text + "\n";
  return all;
}

TEST(Cells, AreWhatWordsCount) {
  const auto says = [](const std::string& program, const char* words, ViewState view = {}) {
    const std::string all = words_of(draw(evaluate(program), view));
    EXPECT_NE(all.find(words), std::string::npos) << words << "\n" << all;
  };
  says(complex_torch + "y = z.imag", "storage 0: 4 elements of float32, 16 bytes");
  says(complex_torch + "y = z.imag", "2 of 4 elements unreachable from y");
  says(complex_torch + "y = z.imag", "= 1 + 1·2 = storage[3]", {.head = 1});
  says(complex_torch + "y = z.imag", "offset in elements");
  const std::string wide = "x = torch.arange(8, dtype=torch.uint8)\ny = x.view(torch.int16)[::2]";
  says(wide, "storage 0: 8 elements of uint8, 8 bytes");
  says(wide, "4 of 8 elements unreachable from y");
  says(wide, "= 1·2·2 = storage[4:6]", {.head = 1});
  says(wide, "offset in cells");
  says(wide, "travel 4");
  says("a = np.arange(4, dtype='u1')\nb = a.view('i2')", "= 1·2 = byte 2 = storage[2:4]", {.head = 1});
}

TEST(Cells, AreMarkedWhereAWriteChangedThem) {
  const Trace trace = evaluate(complex_torch + "y = z.imag\ny.fill_(7)");
  std::vector<std::string> targets;
  for (const Item& item : draw(trace, {}).items)
    if (item.role == Role::changed && item.target.kind != Target::Kind::none &&
        std::holds_alternative<Rect>(item.shape))
      targets.push_back(to_string(item.target));
  std::sort(targets.begin(), targets.end());
  EXPECT_EQ(targets, (std::vector<std::string>{"cell:0:1", "cell:0:3", "element:0:0", "element:0:1", "element:1:0",
                                               "element:1:1"}));
}

TEST(Cells, AreThoseOfThePictureWhereverTheyAreCounted) {
  const auto counted = [](const std::string& program) {
    const Trace trace = evaluate(program);
    const auto cells = cells_of(trace, {}, shown_tensor(trace.steps.back()));
    return std::to_string(cells->count) + " of " + std::to_string(cells->bytes) + ", unread " +
           std::to_string(cells->unread.value_or(-1));
  };
  EXPECT_EQ(counted("x = torch.arange(6)[::2]"), "6 of 8, unread 3");
  EXPECT_EQ(counted(complex_torch + "y = z.imag"), "4 of 4, unread 2");
  EXPECT_EQ(counted(complex_torch + "y = z.imag\nz.mul_(2)"), "4 of 4, unread 0") << "y is drawn, too";
  EXPECT_EQ(counted("x = torch.arange(8, dtype=torch.uint8)\ny = x.view(torch.int16)[1:]"), "8 of 1, unread 2");
  EXPECT_EQ(counted("x = torch.zeros(4)[:0]"), "4 of 4, unread 4");
  EXPECT_FALSE(cells_of(Trace{}, {}, nullptr));
}

TEST(Cells, ThatAreManyToAnElementKeepThePromisesOfEveryPicture) {
  for (const char* program :
       {"b = np.arange(3000, dtype='u1').view('c16')[:187:2]",
        "b = np.arange(1000).view('u1')[3:7003].view('i4')[::-3]",
        "x = torch.zeros(4000, dtype=torch.uint8)\ny = x.view(torch.float64).view(20, 25).t()\ny.fill_(0.1)"})
    for (const Unit width : {px(320), px(700), px(1280)})
      for (const Labels labels : {Labels::value, Labels::offset, Labels::order, Labels::index})
        for (const Coloring coloring : {Coloring::position, Coloring::row, Coloring::times, Coloring::line})
          for (const int head : {0, 5, 70, 1000})
            check_promises(draw(evaluate(program), {.head = head,
                                                    .figures = figure_all | figure_before,
                                                    .labels = labels,
                                                    .coloring = coloring,
                                                    .line = 64,
                                                    .width = width}));
}

}  // namespace
}  // namespace stridescope
