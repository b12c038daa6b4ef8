// Scenes -> one SVG that shows them one after the other. What all have in common, in one order, is written once;
// between such elements stand the groups of what belongs to one frame alone. Every group but the first frame's is
// hidden, and the style sheet shows each in its time: without it, or where less motion is preferred, the first frame is
// what is seen.
#include <algorithm>
#include <map>

#include "render/formats.h"
#include "render/svg_parts.h"

namespace stridescope {
namespace {

using SvgElements = std::vector<std::string>;

/// Those elements of `common` that `frame` has too, in an order both agree on: of those that are in each once, a
/// longest ascending sequence of places.
SvgElements also_in(const SvgElements& common, const SvgElements& frame) {
  struct Seen {
    int times = 0;
    size_t place = 0;
  };
  std::map<std::string_view, Seen> in_common, in_frame;
  for (const std::string& element : common) ++in_common[element].times;
  for (size_t i = 0; i < frame.size(); ++i) {
    Seen& seen = in_frame[frame[i]];
    ++seen.times;
    seen.place = i;
  }
  struct Candidate {
    size_t in_common, in_frame;
    int before;  ///< the candidate that precedes it in the best sequence that ends with it, or -1
  };
  std::vector<Candidate> candidates;
  std::vector<int> ends;  ///< by length - 1: the candidate that ends such a sequence earliest in the frame
  for (size_t i = 0; i < common.size(); ++i) {
    const auto found = in_frame.find(common[i]);
    if (found == in_frame.end() || found->second.times != 1 || in_common[common[i]].times != 1) continue;
    const size_t place = found->second.place;
    const auto after = std::lower_bound(ends.begin(), ends.end(), place, [&](int end, size_t at) {
      return candidates[static_cast<size_t>(end)].in_frame < at;
    });
    candidates.push_back({i, place, after == ends.begin() ? -1 : *(after - 1)});
    const int index = static_cast<int>(candidates.size()) - 1;
    if (after == ends.end())
      ends.push_back(index);
    else
      *after = index;
  }
  SvgElements kept;
  for (int at = ends.empty() ? -1 : ends.back(); at != -1; at = candidates[static_cast<size_t>(at)].before)
    kept.push_back(common[candidates[static_cast<size_t>(at)].in_common]);
  std::reverse(kept.begin(), kept.end());
  return kept;
}

std::string seconds(int milliseconds) {
  std::string text = std::to_string(milliseconds % 1000);
  return std::to_string(milliseconds / 1000) + "." + std::string(3 - text.size(), '0') + text + "s";
}

}  // namespace

std::vector<int64_t> walk(int64_t first, int64_t elements) {
  constexpr int64_t most = 48;
  const int64_t left = elements - first;
  if (left <= 0) return {std::max<int64_t>(first, 0)};
  std::vector<int64_t> heads;
  const int64_t count = std::min(left, most);
  for (int64_t k = 0; k < count; ++k)
    heads.push_back(first + (count == 1 ? 0
                             : left <= most
                                 ? k
                                 : (left - 1) / (count - 1) * k + (left - 1) % (count - 1) * k / (count - 1)));
  return heads;
}

std::string animated_svg(const std::vector<Scene>& frames, int milliseconds, ThemeId theme, std::string_view carried) {
  std::vector<SvgElements> all;
  for (const Scene& frame : frames) all.push_back(svg_elements(frame, theme));
  SvgElements common = all.front();
  for (const SvgElements& frame : all) common = also_in(common, frame);

  std::string everything;
  for (const SvgElements& frame : all)
    for (const std::string& element : frame) everything += element;
  // Style sheets inside one page hold for all of it, so the names are the picture's own.
  const std::string own = "s" + salt(everything) + "-";
  std::string body;
  std::vector<size_t> at(all.size(), 0);
  for (size_t next = 0; next <= common.size(); ++next) {
    for (size_t k = 0; k < all.size(); ++k) {
      std::string group;
      for (; at[k] < all[k].size() && (next == common.size() || all[k][at[k]] != common[next]); ++at[k])
        group += all[k][at[k]] + "\n";
      if (!group.empty())
        body += "<g class=\"" + own + std::to_string(k) + "\"" + (k == 0 ? "" : " visibility=\"hidden\"") + ">\n" +
                group + "</g>\n";
      ++at[k];
    }
    if (next < common.size()) body += common[next] + "\n";
  }

  const int count = static_cast<int>(frames.size());
  std::string style;
  if (count > 1) {
    style = "<style>@media (prefers-reduced-motion:no-preference){@keyframes " + own +
            "shown{from,to{visibility:visible}}@keyframes " + own + "hidden{from,to{visibility:hidden}}\n";
    style += "." + own + "0{animation:" + own + "hidden " + seconds(milliseconds * (count - 1)) + " " +
             seconds(milliseconds) + "}\n";
    for (int k = 1; k < count; ++k)
      style += "." + own + std::to_string(k) + "{animation:" + own + "shown " + seconds(milliseconds) + " " +
               seconds(milliseconds * k) + "}\n";
    style += "}</style>\n";
  }
  return svg_document(frames.front(), style + body, carried);
}

}  // namespace stridescope
