// What the window shows and what the person can do with it. The interface is a function of this and nothing else:
// panels draw it and call these functions.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/history.h"
#include "app/saving.h"
#include "app/settings.h"
#include "export/figure.h"
#include "files/folders.h"
#include "stridescope.h"

namespace stridescope {

/// Something the person wants that would lose unsaved text: asked about first.
struct Intention {
  enum class Kind { open, link, program, close };
  Kind kind = Kind::close;
  std::string what;  ///< the file to open, the link, or a program in no file
};

/// A file name being typed.
struct FilePrompt {
  enum class Kind { open, save, picture };
  Kind kind = Kind::open;
  std::string name;
  bool all_steps = false;                ///< of pictures
  std::optional<FileProblem> problem{};  ///< what came of trying it
};

/// What is asked about while one guesses first: an operation of a step of the program as it was evaluated last.
struct AskedAbout {
  int program = -1, step = -1, op = -1;

  friend bool operator==(const AskedAbout&, const AskedAbout&) = default;
};

struct Model {
  Document document;
  std::string file;            ///< empty while it has no name
  std::string picture;         ///< that the document was in, where it came out of one
  std::string saved;           ///< the source as the file has it
  std::optional<Stamp> stamp;  ///< of the file, as it was last read or written
  Settings settings;
  History history;

  // Of this moment.
  bool playing = false, loops = false;
  double speed = 1;
  bool closing = false;       ///< the window is to be closed
  bool picture_only = false;  ///< the picture fills the screen
  std::optional<FileProblem> problem;
  std::optional<Message> news;  ///< what was done, where that is not to be seen
  std::optional<Intention> intention;
  std::optional<FilePrompt> prompt;
  std::optional<std::string> finding;  ///< the words looked for among the examples
  std::shared_ptr<Saving> saving;      ///< pictures being written; asked for by `prompt`
  std::optional<std::string> theirs;   ///< the file as another program changed it while there was unsaved text
  std::optional<Unsaved> recovered;    ///< found at the start

  AskedAbout answered;  ///< what was guessed and judged; what came of it may be seen

  // Made from the document by refresh().
  Trace trace;
  Scene scene;
  Subject subject;   ///< what the read head walks over
  int pictures = 0;  ///< counts the scenes made
  int programs = 0;  ///< counts the traces made

  Language language() const { return document.view.language; }
  ThemeId theme() const { return document.view.theme; }
  bool unsaved() const { return document.source != saved; }
  std::string say(Msg id, const Slots& slots = {}) const { return plain({id, slots}, language()); }
  /// The file, or that it has no name.
  std::string name() const { return !file.empty() ? file : !picture.empty() ? picture : say(Msg::app_unnamed); }
  /// Whether a question is open that everything else waits for.
  bool asking() const { return prompt || intention || theirs || recovered || finding; }

  /// Number of the step that is shown; -1 where there is none.
  int step() const;
  /// That step; null where there is none.
  const Step* shown() const;

  AskedAbout question() const { return {programs, step(), document.view.op}; }
  /// Whether what came of the step that is shown is still to be guessed.
  bool asks() const { return document.view.ask && shown() && answered != question(); }
  /// Whether what came of a step is not to be seen, for it is asked, is a part of that or comes after it.
  bool hidden(const Step& one) const {
    if (!document.view.ask || !shown()) return false;
    const auto number = static_cast<int>(&one - trace.steps.data());
    return number > step() || (asks() && is_within(trace, number, step()));
  }
  /// The view that the picture is of: a question until it is answered.
  ViewState looked() const;

  std::string evaluated;           ///< the source that `trace` is of
  bool fresh = true;               ///< nothing has been evaluated yet
  int evaluated_step = -1;         ///< the step that was shown of it
  std::optional<ViewState> drawn;  ///< the view that `scene` is of
};

/// A model with the first program and the settings that were kept.
Model first_model();

/// Brings trace and scene up to date, doing only what a change asks for.
void refresh(Model& model);

/// The reason in words, with the file's name.
Line reason_of(const FileProblem& problem, Language language);

/// Takes what a file holds: a program, or the one that a picture carries. A file that cannot be read leaves everything
/// as it is and sets `problem`.
void open_file(Model& model, const std::string& file);
/// Writes the source; asks for a name where there is none.
void save_file(Model& model);
void save_file_as(Model& model, const std::string& file);
/// Does it, unless text would be lost: then asks.
void intend(Model& model, const Intention& intention);
/// Does it, whatever is lost.
void carry_out(Model& model, const Intention& intention);
/// Looks whether another program has changed the file: takes what it wrote, or asks where text would be lost.
/// @post whether anything is to be seen of it
bool watch_file(Model& model);
/// Answers `theirs`.
void take_theirs(Model& model);
void keep_mine(Model& model);
/// Takes up text that was found, or throws it away.
void bring_back(Model& model, bool wanted);

/// The link of what is shown.
std::string link_of(const Model& model);
/// Begins to write the picture that is shown, or those of all steps, as `stridescope render` does: the same bytes in
/// the same files. The name's ending is the format (svg, png, pdf), the size that of the settings.
/// @post `saving` is set, or `problem`
void save_picture(Model& model, const std::string& file, bool all_steps);
/// Takes what came of it once it is done: `news` or `problem`.  @return whether it is
bool end_saving(Model& model);
/// The file's or the picture's name with another ending, for a start.
std::string proposed_name(const Model& model, const char* ending);
/// The formats that can be saved.
std::optional<Format> picture_format(const std::string& file);

/// Replaces the program, and says which step to look at.
void rewrite_program(Model& model, std::string source, int step);
void undo(Model& model);
void redo(Model& model);

void choose_step(Model& model, int step);
/// Shows another operation of the statement.
void choose_operation(Model& model, int op);
/// The step that was written on a line of the source, or the last one before it.
void choose_line(Model& model, int line);
/// Puts the read head on an element, the nearest there is.
void move_head(Model& model, int64_t element);
void play_or_pause(Model& model);
/// Lets the read head glide on.
void advance(Model& model, double seconds);
/// Replaces a stretch of the source.
void apply(Model& model, const Fix& fix);
/// Everything that is wrong with the program, in the order of the text as far as it has one.
std::vector<const Diagnostic*> problems(const Model& model);
/// The first line of a stretch of the source, counted from 1.
int line_of(const Model& model, const Span& span);
/// The first fix that is offered on a line; null where there is none.
const Fix* fix_on(const Model& model, int line);
/// Makes everything larger or smaller by one step; 0: the usual size.
void size_text(Model& model, int direction);
/// Makes the cells of the picture larger or smaller by steps; 0: as large as fits best.
void zoom(Model& model, int steps);
/// Takes the read head so many indices on in a dimension counted from the innermost, as far as there are any.
/// @pre `sizes` are those of what it walks over
void walk_on(Model& model, const Dims& sizes, int level, int64_t by);

}  // namespace stridescope
