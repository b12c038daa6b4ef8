// Scenes -> TikZ. Lengths are pixels of 0.75 bp with y down. Letters of the monospace face are scaled so that the
// document's own \ttfamily has core's advance of 0.6 em; \fontsize is never asked for anything but 10 pt, which every
// face has, so that no size is replaced by another.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "lang/utf8.h"
#include "render/digits.h"
#include "render/formats.h"
#include "render/roles.h"

namespace stridescope {
namespace {

/// Characters of the pictures' own words that pdfTeX has in its usual fonts.
std::optional<std::string_view> usual(char32_t code) {
  switch (code) {
    case 0xB7: return "\\ensuremath{\\cdot}";
    case 0xD7: return "\\ensuremath{\\times}";
    case 0x2013: return "\\textendash{}";
    case 0x2014: return "\\textemdash{}";
    case 0x2026: return "\\dots{}";
    case 0x2190: return "\\ensuremath{\\leftarrow}";
    case 0x2192: return "\\ensuremath{\\rightarrow}";
    case 0x2193: return "\\ensuremath{\\downarrow}";
    case 0x2212: return "\\ensuremath{-}";
    case 0x2260: return "\\ensuremath{\\neq}";
    case 0x2264: return "\\ensuremath{\\leq}";
    case 0x2265: return "\\ensuremath{\\geq}";
    default: return std::nullopt;
  }
}

/// ASCII that TeX does not take as it stands. The monospace faces have all of it at its own place; in the others of the
/// old encodings some has names alone. Letters that ligatures are made of or that babel makes active are among it.
std::optional<std::string> special(char c, bool mono) {
  constexpr std::string_view marks = "\\{}$&#^_~%<>|\"'`-,!?:;[]";
  if (c == ' ') return "\\ ";
  if (marks.find(c) == std::string_view::npos) return std::nullopt;
  if (!mono) switch (c) {
      case '\\': return "\\textbackslash{}";
      case '{': return "\\{";
      case '}': return "\\}";
      case '_': return "\\_";
      case '<': return "\\textless{}";
      case '>': return "\\textgreater{}";
      case '|': return "\\textbar{}";
      default: break;
    }
  return "{\\char" + std::to_string(static_cast<int>(c)) + "}";
}

std::string hexadecimal(char32_t code) {
  std::string text;
  for (; code > 0; code >>= 4) text.insert(text.begin(), "0123456789ABCDEF"[code & 15]);
  return text;
}

/// A character beyond ASCII: XeTeX and LuaTeX set it, pdfTeX does where its input encoding knows it, else it shows the
/// number. Written out each time, because the body of a beamer frame can define no macro with parameters.
std::string other(const std::string& bytes, char32_t code) {
  return "{\\ifdefined\\Umathchar " + bytes + "\\else\\ifcsname u8:\\detokenize{" + bytes + "}\\endcsname " + bytes +
         "\\else\\fbox{\\tiny " + hexadecimal(code) + "}\\fi\\fi}";
}

/// A symbol as wide as a letter of the monospace face.
std::string in_a_cell(std::string_view symbol) {
  return "\\hbox to\\fontcharwd\\font48{\\hss" + std::string(symbol) + "\\hss}";
}

/// @pre `text` is printable
std::string escaped_for_tex(std::string_view text, bool mono) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const CodePoint character = decode(text, at);
    const std::string bytes(text.substr(at, static_cast<size_t>(character.bytes)));
    at += bytes.size();
    if (bytes.size() == 1)
      out += special(bytes[0], mono).value_or(bytes);
    else if (const auto known = usual(character.value))
      out += mono ? in_a_cell(*known) : std::string(*known);
    else
      out += other(bytes, character.value);
  }
  return out;
}

std::string place(Unit x, Unit y) { return "(" + number(x) + "," + number(y) + ")"; }

/// A factor as TeX reads it, four decimals.
std::string factor(int64_t ten_thousandths) {
  std::string text = std::to_string(ten_thousandths);
  if (text.size() < 5) text.insert(0, 5 - text.size(), '0');
  return text.insert(text.size() - 4, ".");
}

class TikzWriter {
 public:
  explicit TikzWriter(ThemeId theme) : theme_(theme) {}

  /// The paths and nodes of a scene.
  std::string body(const Scene& scene) {
    std::string text;
    for (const Item& item : scene.items) switch (item.shape.index()) {
        case 0: text += path(*std::get_if<Rect>(&item.shape), item); break;
        case 1: text += path(*std::get_if<Polyline>(&item.shape), item); break;
        case 2: text += node(*std::get_if<Text>(&item.shape), item); break;
        default: text += raster(*std::get_if<Image>(&item.shape), item); break;
      }
    return text;
  }

  /// Colours, then `body` in a picture of that size.
  std::string picture(Unit width, Unit height, const std::string& body) const {
    std::string text = "\\begingroup\n";
    for (const auto& [name, value] : colors_) text += "\\providecolor{" + name + "}{HTML}{" + value + "}%\n";
    // Measured before the picture, inside of which TikZ has no font.
    return text + "\\setbox0=\\hbox{\\fontsize{10}{12}\\ttfamily 0}\\pgfmathsetmacro\\stridescopeem{6pt/\\wd0}%\n" +
           "\\begin{tikzpicture}[x=0.75bp,y=-0.75bp,line cap=round,line join=round,inner sep=0pt,outer sep=0pt,\n"
           "  stridescope/.style={anchor=base west,rectangle,draw=none,fill=none,shape border rotate=0},\n"
           "  stridescope mono/.style={stridescope,font=\\fontsize{10}{12}\\ttfamily},\n"
           "  stridescope sans/.style={stridescope,font=\\fontsize{10}{12}\\sffamily}]\n"
           "\\path[use as bounding box] (0,0) rectangle " +
           place(width, height) + ";\n" + "\\clip (0,0) rectangle " + place(width, height) + ";\n" + body +
           "\\end{tikzpicture}\\endgroup%\n";
  }

 private:
  /// "stridescope-cell-text-12", defined as what the theme says.
  std::string name(Role role, uint8_t shade) {
    std::string name = "stridescope-" + std::string(name_of(role));
    for (char& c : name)
      if (c == '_') c = '-';
    if (shaded(role)) name += "-" + std::to_string(shade);
    std::string value = hex(color(theme_, role, shade));
    for (char& c : value)
      if (c >= 'a') c = static_cast<char>(c - 'a' + 'A');
    colors_.emplace(name, value);
    return name;
  }

  /// "[fill=name,fill opacity=0.5]"
  std::string options(const Item& item, bool filled) {
    const std::string property = filled ? "fill" : "draw";
    std::string text = "[" + property + "=" + name(item.role, item.shade);
    const Color ink = color(theme_, item.role, item.shade);
    if (ink.a != 255) text += "," + property + " opacity=" + number(ink.a * 100 / 255);
    if (!filled) text += ",line width=" + bp(item.stroke);
    if (!filled && item.dashed) text += ",dash pattern=on 2.25bp off 3bp";
    return text + "]";
  }
  /// Pixels as "1.125bp".
  static std::string bp(Unit units) { return factor(int64_t{units} * 75) + "bp"; }

  std::string path(const Rect& rect, const Item& item) {
    std::string text = "\\path" + options(item, item.stroke == 0);
    const Unit radius = std::min({rect.radius, rect.width / 2, rect.height / 2});
    if (radius > 0) text += "[rounded corners=" + bp(radius) + "]";
    return text + " " + place(rect.x, rect.y) + " rectangle " + place(rect.x + rect.width, rect.y + rect.height) +
           ";\n";
  }

  std::string path(const Polyline& line, const Item& item) {
    std::string text = "\\path" + options(item, line.filled) + " ";
    size_t on_line = 0;
    for (const Point& point : line.points)
      text += (on_line++ == 0 ? "" : on_line % 8 == 1 ? "\n--" : "--") + place(point.x, point.y);
    return text + (line.closed ? "--cycle" : "") + ";\n";
  }

  std::string node(const Text& text, const Item& item) {
    std::string out =
        std::string("\\node[stridescope ") + (text.mono ? "mono" : "sans") + ",text=" + name(item.role, item.shade);
    const Color ink = color(theme_, item.role, item.shade);
    if (ink.a != 255) out += ",text opacity=" + number(ink.a * 100 / 255);
    // A pixel of 0.75 bp in sizes of 10 pt: 1 bp is 72.27/72 pt.
    const std::string scale = factor(int64_t{text.size} * 75 * 7227 / 72'000);
    out += text.mono ? ",scale=" + scale + "*\\stridescopeem" : ",scale=" + scale;
    if (text.anchor != Anchor::start) out += text.anchor == Anchor::middle ? ",anchor=base" : ",anchor=base east";
    if (text.vertical) out += ",rotate=90";
    return out + "] at " + place(text.at.x, text.at.y) + " {" + (text.bold ? "\\bfseries " : "") +
           escaped_for_tex(text.text, text.mono) + "};\n";
  }

  /// Pixels of one shade that lie beside each other are one rectangle; rectangles of one shade are one path.
  std::string raster(const Image& image, const Item& item) {
    std::array<std::string, 256> paths;
    const auto across = [&](int32_t column) {
      return image.frame.x + static_cast<Unit>(int64_t{image.frame.width} * column / image.columns);
    };
    const auto down = [&](int32_t row) {
      return image.frame.y + static_cast<Unit>(int64_t{image.frame.height} * row / image.rows);
    };
    for (int32_t row = 0; row < image.rows; ++row)
      for (int32_t column = 0, end = 0; column < image.columns; column = end) {
        const uint8_t* shades = image.shades.data() + static_cast<ptrdiff_t>(row) * image.columns;
        for (end = column; end < image.columns && shades[end] == shades[column];) ++end;
        paths[shades[column]] +=
            "\n" + place(across(column), down(row)) + " rectangle " + place(across(end), down(row + 1));
      }
    std::string text;
    for (size_t shade = 0; shade < paths.size(); ++shade)
      if (!paths[shade].empty())
        text += "\\fill[" + name(item.role, static_cast<uint8_t>(shade)) + "]" + paths[shade] + ";\n";
    return text;
  }

  ThemeId theme_;
  std::map<std::string, std::string> colors_;
};

/// A page of exactly a picture's size, without a package for it.
std::string page(const std::string& picture) {
  return "\\setbox0=\\vbox{\\hsize=\\maxdimen\\parindent=0pt\\hbox{%\n" + picture + "}}%\n\\stridescopepage\n";
}

constexpr std::string_view document_head = R"(\documentclass{article}
\usepackage{tikz}
\ifdefined\pagewidth\else\let\pagewidth\pdfpagewidth\let\pageheight\pdfpageheight\fi
\newcommand\stridescopepage{\pagewidth=\wd0 \pageheight=\dimexpr\ht0+\dp0\relax
  \hoffset=-1in \voffset=-1in \shipout\box0 }
\begin{document}
)";

}  // namespace

std::string tikz(const std::vector<Scene>& pictures, ThemeId theme, TikzForm form) {
  if (form == TikzForm::document) {
    std::string text(document_head);
    for (const Scene& scene : pictures) {
      TikzWriter writer(theme);
      const std::string body = writer.body(scene);
      text += page(writer.picture(scene.width, scene.height, body));
    }
    return text + "\\end{document}\n";
  }
  TikzWriter writer(theme);
  Unit width = 0, height = 0;
  std::string body;
  for (size_t i = 0; i < pictures.size(); ++i) {
    const std::string one = writer.body(pictures[i]);
    body += pictures.size() == 1 ? one : "\\only<" + std::to_string(i + 1) + ">{%\n" + one + "}%\n";
    width = std::max(width, pictures[i].width);
    height = std::max(height, pictures[i].height);
  }
  return writer.picture(width, height, body);
}

}  // namespace stridescope
