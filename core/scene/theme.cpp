#include "scene/theme.h"

#include <array>

namespace stridescope {
namespace {

constexpr Color rgb(uint32_t code, uint8_t alpha = 255) {
  return {static_cast<uint8_t>(code >> 16), static_cast<uint8_t>(code >> 8), static_cast<uint8_t>(code), alpha};
}

/// The few colours a theme is made of; every role is one of them.
struct Palette {
  Color background, panel, rule, grid_line;
  Color ink, muted;
  Color pale, deep;  ///< of the cells: first and last storage position
  Color unused, hatch;
  std::array<Color, 8> axes;
  Color line, back;  ///< reads that go forward; that go back
  Color good, good_fill, bad, bad_fill;
  Color accent, changed;
};

constexpr Palette light{
    .background = rgb(0xffffff),
    .panel = rgb(0xf6f7f9),
    .rule = rgb(0xd4d9e0),
    .grid_line = rgb(0xe7eaee),
    .ink = rgb(0x1b1f24),
    .muted = rgb(0x5f6978),
    .pale = rgb(0xe3eef8),
    .deep = rgb(0x2b6ca8),
    .unused = rgb(0xf6f7f9),
    .hatch = rgb(0xc3cad4),
    .axes = {rgb(0x0b6bb3), rgb(0x0a7d5c), rgb(0x7a45bd), rgb(0x0d7282), rgb(0xa02c7c), rgb(0x5e6b12), rgb(0x4450bf),
             rgb(0x76532b)},
    .line = rgb(0x5b6675),
    .back = rgb(0xba5014),
    .good = rgb(0x1a7a48),
    .good_fill = rgb(0xe8f5ee),
    .bad = rgb(0xc22f2f),
    .bad_fill = rgb(0xfdeeee),
    .accent = rgb(0x0b6bb3),
    .changed = rgb(0xa02c7c),
};
constexpr Palette dark{
    .background = rgb(0x14171b),
    .panel = rgb(0x1b1f25),
    .rule = rgb(0x39414c),
    .grid_line = rgb(0x252b33),
    .ink = rgb(0xe8ebef),
    .muted = rgb(0x98a2b0),
    .pale = rgb(0x1d3347),
    .deep = rgb(0x6fb7ee),
    .unused = rgb(0x1b1f25),
    .hatch = rgb(0x465060),
    .axes = {rgb(0x5fb2f2), rgb(0x4fce9f), rgb(0xbc9ef7), rgb(0x4cc3d4), rgb(0xf08cc8), rgb(0xb9c455), rgb(0x98a4ff),
             rgb(0xcfaa83)},
    .line = rgb(0x8d99a8),
    .back = rgb(0xf0935a),
    .good = rgb(0x57c98b),
    .good_fill = rgb(0x17291f),
    .bad = rgb(0xff7b72),
    .bad_fill = rgb(0x331d1e),
    .accent = rgb(0x5fb2f2),
    .changed = rgb(0xf08cc8),
};
/// Greys for everything that carries meaning by shade, so a copier keeps it; hues only where the shape tells as well.
constexpr Palette print{
    .background = rgb(0xffffff),
    .panel = rgb(0xf4f4f4),
    .rule = rgb(0xb8b8b8),
    .grid_line = rgb(0xdcdcdc),
    .ink = rgb(0x000000),
    .muted = rgb(0x4a4a4a),
    .pale = rgb(0xf2f2f2),
    .deep = rgb(0x5c5c5c),
    .unused = rgb(0xffffff),
    .hatch = rgb(0x9a9a9a),
    .axes = {rgb(0x084c80), rgb(0x075a42), rgb(0x5a2f90), rgb(0x09525e), rgb(0x761f5b), rgb(0x454f0c), rgb(0x313a90),
             rgb(0x573c1d)},
    .line = rgb(0x404040),
    .back = rgb(0x8f3a0a),
    .good = rgb(0x125634),
    .good_fill = rgb(0xf4f4f4),
    .bad = rgb(0x9a1c1c),
    .bad_fill = rgb(0xf4f4f4),
    .accent = rgb(0x000000),
    .changed = rgb(0x761f5b),
};

constexpr Color faded(Color color, uint8_t alpha) { return {color.r, color.g, color.b, alpha}; }

constexpr Color mixed(Color from, Color to, int part) {
  const auto channel = [part](int a, int b) { return static_cast<uint8_t>(a + (b - a) * part / 255); };
  return {channel(from.r, to.r), channel(from.g, to.g), channel(from.b, to.b), 255};
}

/// Whether black reads better than white on `ground`: whether its relative luminance (WCAG 2) is above 0.179, where
/// both reach 4.58:1. In integers, so that every platform decides alike.
constexpr bool takes_black(Color ground) {
  // The sRGB transfer curve as a cubic, 0.0125 c + 0.6822 c^2 + 0.3053 c^3, within 0.002 of it; times 10^4.
  const auto linear = [](int64_t c) { return c * (125 + c * (6822 + c * 3053 / 255) / 255) / 255; };
  return 2126 * linear(ground.r) + 7152 * linear(ground.g) + 722 * linear(ground.b) > 17'900'000;
}

}  // namespace

Color color(ThemeId theme, Role role, uint8_t shade) {
  const Palette& palette = theme == ThemeId::dark ? dark : theme == ThemeId::print ? print : light;
  const Color cell = mixed(palette.pale, palette.deep, shade);
  switch (role) {
    case Role::background: return palette.background;
    case Role::panel: return palette.panel;
    case Role::rule: return palette.rule;
    case Role::grid_line: return palette.grid_line;
    case Role::text:
    case Role::text_strong: return palette.ink;
    case Role::text_muted:
    case Role::neutral: return palette.muted;
    case Role::cell: return cell;
    case Role::cell_text: return takes_black(cell) ? rgb(0x000000) : rgb(0xffffff);
    case Role::cell_unused: return palette.unused;
    case Role::hatch: return palette.hatch;
    case Role::cell_focus:
    case Role::head: return palette.ink;
    case Role::cell_linked:
    case Role::minimap_window: return palette.accent;
    case Role::axis0:
    case Role::axis1:
    case Role::axis2:
    case Role::axis3:
    case Role::axis4:
    case Role::axis5:
    case Role::axis6:
    case Role::axis7: return palette.axes[static_cast<size_t>(role) - static_cast<size_t>(Role::axis0)];
    case Role::axis_fill: return palette.panel;
    case Role::hop_forward:
    case Role::path_line:
    case Role::path_point: return palette.line;
    case Role::hop_back: return palette.back;
    case Role::hop_ahead: return faded(palette.line, 115);
    case Role::hop_back_ahead: return faded(palette.back, 115);
    case Role::path_ideal: return palette.rule;
    case Role::good: return palette.good;
    case Role::good_fill: return palette.good_fill;
    case Role::bad:
    case Role::crack: return palette.bad;
    case Role::bad_fill: return palette.bad_fill;
    case Role::weld: return palette.good;
    case Role::changed: return palette.changed;
    default: break;  // minimap
  }
  return palette.rule;
}

}  // namespace stridescope
