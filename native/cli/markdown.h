// Markdown whose ```stridescope blocks become figures: as files beside the text, or inside the pages of an mdBook.
#pragma once
#include <string>

#include "export/figure.h"

namespace stridescope {

struct MarkdownOptions {
  std::string input = "-", output = "-";
  Format format = Format::svg;  ///< svg, png or pdf
};

/// Writes the Markdown with links, and the figures into the folder figures beside it, named by their content: one that
/// is there is not written again.
/// @post the exit status; unless it is 0, the Markdown has not been written
int markdown(const MarkdownOptions& options, Language language);

/// The preprocessor's protocol: [context, book] on the standard input, the book with SVG in its chapters on the
/// standard output.  @post the exit status
int mdbook(Language language);

}  // namespace stridescope
