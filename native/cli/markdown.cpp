#include "cli/markdown.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "cli/options.h"

namespace stridescope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The figures of one block as Markdown.
using Embed = std::function<std::string(const FigureRequest&, const std::vector<Made>&)>;

struct Fence {
  size_t indent = 0, length = 0;
  char mark = '`';
};

/// Whether a line opens a block of ours: ```stridescope, ~~~ stridescope, ``` {.stridescope}.
std::optional<Fence> opening(std::string_view line) {
  Fence fence;
  fence.indent = std::min(line.find_first_not_of(' '), line.size());
  if (fence.indent > 3 || fence.indent == line.size()) return std::nullopt;
  line.remove_prefix(fence.indent);
  fence.mark = line[0];
  if (fence.mark != '`' && fence.mark != '~') return std::nullopt;
  fence.length = std::min(line.find_first_not_of(fence.mark), line.size());
  if (fence.length < 3) return std::nullopt;
  return fence;
}

bool is_ours(std::string_view line, const Fence& fence) {
  std::string_view info = line.substr(fence.indent + fence.length);
  info.remove_prefix(std::min(info.find_first_not_of(" \t{."), info.size()));
  constexpr std::string_view name = "stridescope";
  return info.starts_with(name) &&
         (info.size() == name.size() || std::string_view(" \t\r}").find(info[name.size()]) != std::string_view::npos);
}

bool closes(std::string_view line, const Fence& fence) {
  const auto other = opening(line);
  return other && other->mark == fence.mark && other->length >= fence.length &&
         line.find_first_not_of(" \t\r", other->indent + other->length) == std::string_view::npos;
}

/// The text with every block of ours replaced, or what is wrong with them.
std::variant<std::string, std::vector<Complaint>> with_figures(std::string_view text, const std::string& file,
                                                               Format format, const Embed& embed) {
  std::string out;
  std::vector<Complaint> complaints;
  std::optional<Fence> open;
  bool ours = false;
  std::string program;
  int number = 0, first_line = 0;
  const auto figure = [&] {
    const Opened opened{{program, {}}, false};
    const OptionLines lines = option_lines(program, file, first_line);
    const auto refuse = [&](const Message& reason) {
      complaints.push_back({shown_name(file) + ":" + std::to_string(first_line) + ":1", reason, {}});
    };
    if (lines.wrong) return complaints.push_back(*lines.wrong);
    const auto wanted = figure_of(opened, lines.asked, {});
    if (const auto* reason = std::get_if<Message>(&wanted)) return refuse(*reason);
    const auto made = make(std::get<FigureRequest>(wanted), format, {file, first_line});
    if (const auto* found = std::get_if<std::vector<Complaint>>(&made))
      complaints.insert(complaints.end(), found->begin(), found->end());
    else
      out += embed(std::get<FigureRequest>(wanted), std::get<std::vector<Made>>(made));
  };
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at), with_end = text.substr(at, end + 1 - at);
    at = end + 1;
    ++number;
    if (!open) {
      open = opening(line);
      ours = open && is_ours(line, *open);
      program.clear();
      first_line = number + 1;
      if (!ours) out += with_end;
    } else if (closes(line, *open)) {
      if (ours)
        figure();
      else
        out += with_end;
      open.reset();
    } else if (ours) {
      const size_t indent = std::min({open->indent, line.find_first_not_of(' '), line.size()});
      program += std::string(line.substr(indent)) + "\n";
    } else {
      out += with_end;
    }
  }
  if (open && ours)
    complaints.push_back(
        {shown_name(file) + ":" + std::to_string(first_line - 1) + ":1", {Msg::cli_open_fence, {}}, {}});
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
  std::error_code ignored;
  if (!files.empty()) fs::create_directories(folder, ignored);
  files.erase(std::remove_if(files.begin(), files.end(), [](const auto& file) { return fs::exists(file.path); }),
              files.end());
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
