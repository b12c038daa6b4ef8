// What the window shows and what the person can do with it. The interface is a function of this and nothing else:
// panels draw it and call these functions.
#pragma once
#include <optional>
#include <string>

#include "files/files.h"
#include "stridescope.h"

namespace stridescope {

/// Something the person wants that would lose unsaved text: asked about first.
struct Intention {
  enum class Kind { open, close };
  Kind kind = Kind::close;
  std::string file;  ///< to open
};

/// A file name being typed.
struct FilePrompt {
  enum class Kind { open, save };
  Kind kind = Kind::open;
  std::string name;
};

struct Model {
  Document document;
  std::string file;   ///< empty while it has no name
  std::string saved;  ///< the source as the file has it

  // Of this moment.
  bool playing = false;
  double speed = 1;
  int texts = 0;         ///< counts the times the source was replaced other than by typing
  bool closing = false;  ///< the window is to be closed
  std::optional<FileProblem> problem;
  std::optional<Intention> intention;
  std::optional<FilePrompt> prompt;

  // Made from the document by refresh().
  Trace trace;
  Scene scene;
  Subject subject;    ///< what the read head walks over
  int pictures = 0;   ///< counts the scenes made

  Language language() const { return document.view.language; }
  ThemeId theme() const { return document.view.theme; }
  bool unsaved() const { return document.source != saved; }
  std::string say(Msg id, std::vector<Arg> args = {}) const { return plain({id, std::move(args)}, language()); }

  /// Number of the step that is shown; -1 where there is none.
  int step() const;
  /// The operation the explanation is about; null where the statement has none.
  const Applied* applied() const;

  std::string evaluated = "\n";  ///< the source that `trace` is of; at first none
  ViewState drawn;               ///< the view that `scene` is of
};

/// Brings trace and scene up to date, doing only what a change asks for.
void refresh(Model& model);

/// Takes what a file holds; a file that cannot be read leaves everything as it is and sets `problem`.
void open_file(Model& model, const std::string& file);
/// Writes the source; asks for a name where there is none.
void save_file(Model& model);
void save_file_as(Model& model, const std::string& file);
/// Does it, unless text would be lost: then asks.
void intend(Model& model, const Intention& intention);
/// Does it, whatever is lost.
void carry_out(Model& model, const Intention& intention);

void choose_step(Model& model, int step);
/// The step that was written on a line of the source, or the last one before it.
void choose_line(Model& model, int line);
/// Puts the read head on an element, the nearest there is.
void move_head(Model& model, int64_t element);
void play_or_pause(Model& model);
/// Lets the read head glide on.
void advance(Model& model, double seconds);
/// Replaces a stretch of the source.
void apply(Model& model, const Fix& fix);

}  // namespace stridescope
