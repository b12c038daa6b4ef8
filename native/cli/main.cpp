// stridescope: the engine on the command line.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <iostream>

#include "cli/commands.h"
#include "files/files.h"

using namespace stridescope;

/// A standard stream that was closed stays unusable: no file opened later may take its number.
static void occupy_closed_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (::fcntl(stream, F_GETFD) == -1) ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int count, char** values) {
  occupy_closed_streams();
  // A reader that goes away or a file that may not grow is then an error of the write, which has a message.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  const std::vector<std::string> arguments(values + std::min(count, 1), values + count);
  const auto request = read_options(arguments);
  if (const auto* options = std::get_if<Options>(&request)) return run(*options);
  const auto& notice = std::get<Notice>(request);
  if (notice.status != 0) {
    std::cerr << notice.text;
    return notice.status;
  }
  return print(notice.text, language_of(arguments));
}
