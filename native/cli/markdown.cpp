#include "cli/markdown.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "cli/blocks.h"
#include "cli/options.h"

namespace stridescope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The figures of one block as Markdown.
using Embed = std::function<std::string(const FigureRequest&, const std::vector<Made>&)>;

/// Lines as they stand where the block stood.
std::string in_place(std::string_view lines, const Part& block) {
  std::string out;
  for (size_t at = 0; at < lines.size();) {
    const size_t end = std::min(lines.find('\n', at), lines.size());
    std::string_view margin = at == 0 ? block.first_margin : block.margin;
    if (end == at) margin = margin.substr(0, margin.find_last_not_of(' ') + 1);
    out += std::string(margin) + std::string(lines.substr(at, end + 1 - at));
    at = end + 1;
  }
  return out;
}

/// The figures of a block, or what is wrong with it.
std::variant<std::string, std::vector<Complaint>> figures_of(const Part& block, const std::string& file, Format format,
                                                             const Embed& embed) {
  const auto refuse = [&](int line, const Message& reason) {
    return std::vector<Complaint>{{shown_name(file) + ":" + std::to_string(line) + ":1", reason, {}}};
  };
  if (!block.closed) return refuse(block.first_line - 1, {Msg::cli_open_fence, {}});
  const OptionLines lines = option_lines(block.text, file, block.first_line);
  if (lines.wrong) return std::vector{*lines.wrong};
  const auto wanted = figure_of({{block.text, {}}, false}, lines.asked, {});
  if (const auto* reason = std::get_if<Message>(&wanted)) return refuse(block.first_line, *reason);
  auto made = make(std::get<FigureRequest>(wanted), format, {file, block.first_line});
  if (auto* complaints = std::get_if<std::vector<Complaint>>(&made)) return std::move(*complaints);
  return in_place(embed(std::get<FigureRequest>(wanted), std::get<std::vector<Made>>(made)), block);
}

/// The text with every block of ours replaced, or what is wrong with them.
std::variant<std::string, std::vector<Complaint>> with_figures(std::string_view text, const std::string& file,
                                                               Format format, const Embed& embed) {
  std::string out;
  std::vector<Complaint> complaints;
  for (const Part& part : parts_of(text)) {
    const auto figures = part.block ? figures_of(part, file, format, embed) : part.text;
    if (const auto* written = std::get_if<std::string>(&figures))
      out += *written;
    else
      for (const Complaint& complaint : std::get<1>(figures)) complaints.push_back(complaint);
  }
  if (!complaints.empty()) return complaints;
  return out;
}

std::string escaped_for_markdown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\[]*_`<>&!$~|#").find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

/// An id that needs no escaping anywhere.
std::string as_id(std::string_view label) {
  std::string id;
  for (const char c : label)
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
        c == ':' || c == '.')
      id += c;
  return id;
}

/// A name that tells contents apart: FNV-1a in hexadecimal.
std::string content_name(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  std::string name;
  for (int k = 0; k < 16; ++k, hash >>= 4) name.insert(name.begin(), "0123456789abcdef"[hash & 15]);
  return name;
}

std::string words_of(const FigureRequest& wanted, int step) {
  FigureRequest one = wanted;
  if (step >= -1) one.steps = {step};
  one.all_steps = false;
  const auto made = make(one, Format::alt, {});
  if (!std::holds_alternative<std::vector<Made>>(made)) return "";
  std::string text = std::get<std::vector<Made>>(made).front().bytes;
  return text.substr(0, text.find_last_not_of('\n') + 1);
}

}  // namespace

int markdown(const MarkdownOptions& options, Language language) {
  auto read = read_text(options.input);
  if (const auto* problem = std::get_if<FileProblem>(&read)) {
    complain(*problem, language);
    return failed;
  }
  const fs::path folder = (options.output == "-" ? fs::path() : fs::path(options.output).parent_path()) / "figures";
  std::vector<File> files;
  const Embed embed = [&](const FigureRequest& wanted, const std::vector<Made>& made) {
    std::string text = wanted.label.empty() ? "" : "<a id=\"" + as_id(wanted.label) + "\"></a>\n\n";
    for (const Made& one : made) {
      const std::string name = content_name(one.bytes) + "." + std::string(name_of(options.format));
      files.push_back({(folder / name).string(), one.bytes});
      text += "![" + escaped_for_markdown(words_of(wanted, one.step)) + "](figures/" + name + ")\n";
    }
    if (!wanted.caption.empty()) text += "\n*" + escaped_for_markdown(wanted.caption) + "*\n";
    return text;
  };
  const auto result = with_figures(std::get<std::string>(read), options.input, options.format, embed);
  if (const auto* complaints = std::get_if<std::vector<Complaint>>(&result)) {
    for (const Complaint& complaint : *complaints) complain(complaint, language);
    return failed;
  }
  std::error_code ignored;  // what cannot be made or found is said where it is written
  if (!files.empty()) fs::create_directories(folder, ignored);
  std::erase_if(files, [&](const File& file) { return fs::exists(file.path, ignored); });
  files.push_back({options.output, std::get<std::string>(result)});
  const auto problem = write_whole(files);
  if (!problem) return 0;
  complain(*problem, language);
  return failed;
}

int mdbook(Language language) {
  auto read = read_text("-");
  if (const auto* problem = std::get_if<FileProblem>(&read)) {
    complain(*problem, language);
    return failed;
  }
  json input = json::parse(std::get<std::string>(read), nullptr, false);
  if (!input.is_array() || input.size() != 2 || !input[1].is_object()) {
    complain({"<stdin>:1:1", {Msg::cli_mdbook_input, {}}, {}}, language);
    return failed;
  }
  const Embed embed = [](const FigureRequest& wanted, const std::vector<Made>& made) {
    std::string text = "<figure" + (wanted.label.empty() ? "" : " id=\"" + as_id(wanted.label) + "\"") + ">\n";
    // No wider than the column that it stands in.
    for (const Made& one : made) text += "<svg style=\"max-width:100%;height:auto\"" + one.bytes.substr(4);
    if (!wanted.caption.empty()) text += "<figcaption>" + escaped(wanted.caption) + "</figcaption>\n";
    return text + "</figure>\n";
  };
  int status = 0;
  const std::function<void(json&)> visit = [&](json& node) {
    if (node.is_object() && node.contains("Chapter") && node["Chapter"].is_object()) {
      json& chapter = node["Chapter"];
      const auto content = chapter.find("content");
      if (content != chapter.end() && content->is_string()) {
        const auto path = chapter.find("path");
        const std::string file = path != chapter.end() && path->is_string() ? path->get<std::string>() : "<book>";
        const auto result = with_figures(content->get_ref<const std::string&>(), file, Format::svg, embed);
        if (const auto* text = std::get_if<std::string>(&result)) {
          *content = *text;
        } else {
          for (const Complaint& complaint : std::get<std::vector<Complaint>>(result)) complain(complaint, language);
          status = failed;
        }
      }
    }
    if (node.is_structured())
      for (json& child : node) visit(child);
  };
  visit(input[1]);
  if (status != 0) return status;
  const auto problem = write_whole("-", input[1].dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
  if (!problem) return 0;
  complain(*problem, language);
  return failed;
}

}  // namespace stridescope
