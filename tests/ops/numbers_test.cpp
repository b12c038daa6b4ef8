// Every number in an explanation is a number of that very call: of its text, of the layouts it was given and made, or
// reckoned from these in one of the ways written down here.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <sstream>

#include "layout/access_path.h"
#include "layout/detour.h"
#include "layout/extent.h"
#include "layout/shapes.h"
#include "ops/op.h"
#include "ops/program.h"
#include "ops/variants.h"

namespace stridescope {
namespace {

using Numbers = std::set<int64_t>;

/// Whole numbers that stand by themselves: not those of names such as int64.
Numbers numbers_in(std::string_view text) {
  Numbers found;
  for (size_t at = 0; at < text.size();) {
    const auto digit = [&](size_t i) {
      return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    };
    if (!digit(at)) {
      ++at;
      continue;
    }
    const char before = at > 0 ? text[at - 1] : ' ';
    size_t end = at;
    while (digit(end)) ++end;
    const bool in_name =
        std::isalpha(static_cast<unsigned char>(before)) || before == '_' || (before == '.' && at > 1 && digit(at - 2));
    const bool negative =
        before == '-' &&
        (at < 2 || (!digit(at - 2) && text[at - 2] != ')' && !std::isalpha(static_cast<unsigned char>(text[at - 2]))));
    if (end + 1 < text.size() && text[end] == '.' && digit(end + 1)) {
      while (digit(++end)) continue;  // a fraction
    } else if (!in_name && end - at < 19) {
      const int64_t value = std::stoll(std::string(text.substr(at, end - at)));
      found.insert(negative ? -value : value);
      // 10**12
      if (text.substr(end).starts_with("**") && digit(end + 2)) {
        int64_t power = 1;
        for (int64_t k = std::stoll(std::string(text.substr(end + 2))); k > 0; --k) power *= value;
        found.insert(power);
      }
    }
    at = end;
  }
  return found;
}

void add(Numbers& numbers, const Dims& dims) { numbers.insert(dims.begin(), dims.end()); }

/// The numbers of a tensor and what its parts come to.
struct Told {
  Numbers plain;    ///< sizes, strides, offset, dims, counts, bytes; numbers of the program's text
  Numbers factors;  ///< what a stride may be multiplied by: sizes, item sizes, numbers of the text
  Numbers strides;
  Numbers windows;
  Numbers reckoned;

  void add_text(std::string_view text) {
    for (const int64_t number : numbers_in(text)) {
      plain.insert(number);
      factors.insert(number);
      for (const int64_t other : numbers_in(text)) {
        reckoned.insert(number + other);     // from .. for so many
        windows.insert(number + other - 1);  // cells that so many windows of so many reach, one apart
      }
    }
    for (const DType dtype : {DType::uint8, DType::int16, DType::int32, DType::int64})
      if (text.find(name(dtype)) != std::string_view::npos) plain.insert(itemsize(dtype));
  }

  void add_tensor(const Tensor& tensor) {
    const Layout& layout = tensor.layout;
    const int64_t item = tensor.item_bytes(), count = numel(layout.sizes).value_or(0), unit = tensor.unit();
    const int64_t held = tensor.storage->nbytes;
    add(plain, layout.sizes);
    add(plain, layout.strides);
    add(factors, layout.sizes);
    add(strides, layout.strides);
    factors.insert(item);
    for (const int64_t cells : windows) reckoned.insert(cells * item);
    plain.insert({layout.storage_offset, item, count, count * item, held, held / item, layout.storage_offset / item,
                  layout.storage_offset * item});
    if (is_complex(tensor.dtype)) plain.insert({item / 2, count * item / 2});  // of one of the two parts
    if (tensor.structure) plain.insert({tensor.structure->length(), tensor.structure->character_bytes()});
    if (tensor.structure)
      for (const StructureField& field : tensor.structure->fields)
        plain.insert({field.offset, field.nbytes(), count * field.nbytes(), layout.storage_offset + field.offset});
    for (int d = 0; d <= layout.rank(); ++d) plain.insert({d, -d});
    int64_t before = 1, behind = 1;
    for (int d = 0; d < layout.rank(); ++d) {
      before *= std::max<int64_t>(layout.sizes[d], 1);
      behind *= std::max<int64_t>(layout.sizes[layout.rank() - 1 - d], 1);
      reckoned.insert({before, behind, before * item, behind * item});  // packed strides
      reckoned.insert(layout.sizes[d] * layout.strides[d]);             // the length of a dimension
      reckoned.insert((layout.sizes[d] - 1) * layout.strides[d]);       // from its first element to its last
      const int64_t common = std::gcd(layout.strides[d], item);         // 3/2 elements
      reckoned.insert({layout.sizes[d] - 1, -layout.sizes[d], layout.strides[d] / common, item / common});
      reckoned.insert(layout.storage_offset + layout.strides[d]);  // the first element of the second slice
    }
    for (int a = 0; a < layout.rank(); ++a)
      for (int b = 0; b < layout.rank(); ++b) {
        reckoned.insert(layout.strides[a] + layout.strides[b]);  // a step along a diagonal
        if (a == b || layout.strides[b] == 0 || layout.strides[a] % layout.strides[b] != 0) continue;
        // The element as many steps along b as make one step along a.
        reckoned.insert(layout.strides[a] / layout.strides[b] * contiguous(layout.sizes).strides[b]);
      }
    if (const auto reach = extent(layout)) reckoned.insert({reach->lowest, reach->highest, reach->highest + unit - 1});
    if (const auto cells = distinct_cells(layout)) reckoned.insert({*cells, held / item - *cells, *cells * item});
  }

  void add_attempt(const ViewAttempt& attempt) {
    add_tensor(*attempt.tensor);
    add(plain, attempt.sizes);
    add(factors, attempt.sizes);
    for (int d = 0; d < attempt.sizes.size(); ++d) plain.insert(d);
    if (numel(attempt.sizes).value_or(0) == 0 || numel(attempt.sizes) != numel(attempt.tensor->layout.sizes)) return;
    const Shapes shapes(slowest_left(attempt.tensor->layout, attempt.order));
    reckoned.insert({shapes.views(), shapes.views() + shapes.copies(), max_shape_rank});
    for (const Shape& shape : shapes.nearest(slowest_left(attempt.sizes, attempt.order), Wanted::views, 4))
      add(reckoned, shape.sizes);
  }

  /// The places of an element in two orders of reading: any element whose number is a product of sizes.
  void add_order(const Tensor& tensor, const Dims& sizes) {
    const AccessPath path(tensor.layout);
    Numbers elements{0};
    for (const Dims* of : std::array<const Dims*, 2>{&tensor.layout.sizes, &sizes}) {
      int64_t inside = 1;
      for (int d = of->size() - 1; d >= 0; inside *= (*of)[d--]) elements.insert(inside);
    }
    for (const int64_t element : elements)
      if (element < path.size())
        reckoned.insert({element, path.offset(element), tensor.layout.storage_offset + element * tensor.unit()});
  }

  bool knows(int64_t number) const {
    if (number == 0 || number == 1 || plain.contains(number) || reckoned.contains(number)) return true;
    for (const int64_t factor : factors) {
      for (const int64_t stride : strides)
        if (number == factor * stride) return true;  // how far so many steps go
    }
    return false;
  }
};

void add_value(Told& told, const Value& value) {
  if (const TensorPtr tensor = tensor_of(value)) told.add_tensor(*tensor);
  if (const auto* facet = std::get_if<Facet>(&value.held)) told.add_tensor(*facet->tensor);
  if (std::holds_alternative<Object>(value.held))
    for (const Value& part : parts_of(value)) add_value(told, part);
  const auto* sequence = std::get_if<Sequence>(&value.held);
  for (size_t i = 0; sequence && i < sequence->items->size(); ++i) {
    add_value(told, (*sequence->items)[i]);
    told.plain.insert(static_cast<int64_t>(i));
  }
  if (sequence)
    told.plain.insert(static_cast<int64_t>(sequence->items->size()));
  else
    told.add_text(to_string(value));
}

Told told_by(const Applied& op) {
  Told told;
  told.add_text(op.title);
  for (const TensorPtr& input : op.inputs) told.add_tensor(*input);
  told.plain.insert(static_cast<int64_t>(op.inputs.size()));
  add_value(told, op.result);
  // How many elements were made one.
  for (const TensorPtr& input : op.inputs)
    if (const TensorPtr made = tensor_of(op.result))
      if (const int64_t all = numel(input->layout.sizes).value_or(0), left = numel(made->layout.sizes).value_or(0);
          left > 0)
        told.reckoned.insert(all / left);
  if (op.error) {
    // Numbers of the message that the library itself gives, of the example it is compared with, and what is beside
    // them.
    if (op.error->raised) told.add_text(op.error->raised->text);
    if (op.op) told.add_text(op.op->example), told.add_text(op.op->signatures);
    // What is left of a dimension behind a start.
    const Numbers written = told.plain;
    for (const TensorPtr& input : op.inputs)
      for (const int64_t size : input->layout.sizes)
        for (const int64_t number : written) told.reckoned.insert(size - number);
  }
  if (op.attempt) {
    told.add_attempt(*op.attempt);
    told.add_order(*op.attempt->tensor, op.attempt->sizes);
  }
  return told;
}

void expect_told(const std::string& program) {
  const Trace trace = evaluate(program);
  for (const Step& step : trace.steps)
    for (const Applied& op : step.applied) {
      Told told = told_by(op);
      for (const Named& named : step.names)  // as the step has left them
        if (std::any_of(op.inputs.begin(), op.inputs.end(),
                        [&](const TensorPtr& input) { return input->object == named.tensor->object; }))
          told.add_tensor(*named.tensor);
      std::vector<Message> said = op.why.lines;
      if (op.error) {
        said.push_back(op.error->reason);
        for (const Hint& hint : op.error->hints) said.push_back(hint.message);
      }
      for (const Message& message : said) {
        // Where strides that were refused would have led, sizes that were, what a file was made from,
        // and how much it holds of several.
        if (message.id == Msg::np_outside_memory || message.id == Msg::as_strided_outside ||
            message.id == Msg::np_negative_size || message.id == Msg::np_load_packed ||
            message.id == Msg::np_savez_headline)
          continue;
        if (message.id == Msg::hint_sizes_fit) {
          int64_t product = 1;
          std::string sizes = message.args[0].text;
          for (size_t at = sizes.find_first_of("0123456789"); at != std::string::npos;
               at = sizes.find_first_of("0123456789", sizes.find_first_not_of("0123456789", at)))
            product *= std::stoll(sizes.substr(at));
          EXPECT_EQ(std::to_string(product), message.args[1].text) << plain(message, Language::english);
          continue;
        }
        for (const Arg& arg : message.args)
          for (const int64_t number : numbers_in(arg.text))
            EXPECT_TRUE(told.knows(number))
                << number << " in \"" << plain(message, Language::english) << "\" of " << op.title << "\n"
                << program;
      }
    }
}

TEST(Numbers, OfEveryRowsExampleAndItsVariantsAreThoseOfItsCall) {
  for (const Op* op : operation_table())
    for (const std::string& program : variants(*op)) expect_told(program);
}

TEST(Numbers, OfEveryExplanationOfTheExamplesAreThoseOfItsCall) {
  int programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(STRIDESCOPE_SOURCE_DIR "/assets/examples")) {
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    expect_told(text.str());
    ++programs;
  }
  EXPECT_GT(programs, 5);
}

TEST(Numbers, OfUnlikelySizesAreThoseOfTheirCall) {
  // Primes, so that a number taken from elsewhere is not one of these by chance.
  const std::string packed = "x = torch.arange(5*7*11*13, dtype=torch.int32).view(5, 7, 11, 13)\n",
                    array = "x = np.arange(5*7*11*13, dtype=np.int32).reshape(5, 7, 11, 13)\n";
  for (const char* line : {"x.permute(3, 1, 0, 2).view(-1)",
                           "x.permute(3, 1, 0, 2).reshape(55, 91)",
                           "x.transpose(1, 2).flatten(1, 2)",
                           "x[1:4, ::3, 2:9:4, 5].ravel()",
                           "x.transpose(0, 3).is_contiguous()",
                           "x.contiguous()",
                           "x[:, :, :, None].is_contiguous()",
                           "x.transpose(2, 3).contiguous()",
                           "x[2:5].expand(17, 3, 7, 11, 13)",
                           "x[0, 0, 0, 4:5].expand(19, 3).view(57)",
                           "x.unfold(2, 4, 3)",
                           "x.as_strided((6, 4), (3, 2), 17)",
                           "x.select(1, 3)",
                           "x.narrow(2, 2, 6)",
                           "x.diagonal(2, 1, 3)",
                           "x.view(77, 65).t().view(7, 715)",
                           "x.view(77, 65).t().view(5, 1001)",
                           "x.is_contiguous(memory_format=torch.channels_last)",
                           "x.contiguous(memory_format=torch.channels_last)",
                           "x[..., 1:].view(torch.int64)",
                           "x.view(torch.int64)"})
    expect_told(packed + line);
  for (const char* line :
       {"x.T.reshape(-1)", "x.transpose(3, 1, 0, 2).reshape(55, 91)", "x.T.shape = (5005,)",
        "x[1:4, ::3, 2:9:4, 5].ravel()", "x.T.flags.c_contiguous", "x.T.flags['F']", "x.flags.forc",
        "x.reshape(-1, order='F')", "x.T.reshape(91, 55, order='F')", "x[:, ::-2].reshape(-1)", "x[..., ::2].ravel()"})
    expect_told(array + line);
  const std::string fields = "s = np.zeros((5, 7), dtype=[('a', 'u1', (11,)), ('b', 'f8', (13,)), ('c', 'i2,f4')])\n";
  for (const char* line :
       {"s['a']", "s.T['b'][3]", "s[['c', 'a']]", "s[2, 3]", "s[2, 3]['c']", "s['c']['f1']", "s[...] = 3",
        "s[4, 6]['c'] = (1, 2)", "s.copy()", "s[[1, 3]]", "s['b'][...] = 2", "s['d']", "s[0]['e']"})
    expect_told(fields + line);
}

TEST(Numbers, FromElsewhereWouldBeNoticed) {
  const Ran run("x = torch.arange(30).view(5, 6).t()\nx.view(30)");
  const Told told = told_by(run.last().applied.back());
  for (const int64_t known : {5, 6, 30, 240, 8, 36, 25})
    EXPECT_EQ(told.knows(known), known != 25 && known != 35) << known;
  for (const int64_t foreign : {11, 13, 17, 19, 31, 239, 1009}) EXPECT_FALSE(told.knows(foreign)) << foreign;
}

}  // namespace
}  // namespace stridescope
