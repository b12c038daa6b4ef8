// Runs a fuzz target without libFuzzer: every file it is given, then variations of them, the same in every run.
//
//   replay_program [--runs N] [--milliseconds MOST] [--megabytes MOST] FILE_OR_FOLDER..
//
// With limits, an input that takes longer or makes the process larger is printed and the status is 1.
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class Variations {
 public:
  explicit Variations(const std::vector<std::string>& seeds) : seeds_(seeds) {}

  std::string next() {
    std::string text = seeds_[random(seeds_.size())];
    for (size_t edits = 1 + random(6); edits > 0; --edits) edit(text);
    return text;
  }

 private:
  size_t random(size_t n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<size_t>(state_ >> 33) % n;
  }
  /// A place where a word, number or sign begins: cutting there keeps more of the text meaningful.
  size_t place(const std::string& text) {
    const size_t at = random(text.size() + 1), border = text.find_first_of(" \n,()[].=:", at);
    return random(3) == 0 || border == std::string::npos ? at : border;
  }
  void edit(std::string& text) {
    static const std::string pieces[] = {"0",
                                         "-1",
                                         "1",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "10**12",
                                         "2**62",
                                         "()",
                                         "(2, 3)",
                                         "[0]",
                                         "[::-1]",
                                         "[None, ...]",
                                         ".T",
                                         ".view(-1)",
                                         ".expand(3, -1)",
                                         ".unsqueeze(0)",
                                         "True",
                                         "None",
                                         "'",
                                         "\n",
                                         "(((((",
                                         "]",
                                         "x",
                                         "y",
                                         "\xE2\x80\xA6",
                                         "\xFF",
                                         "**",
                                         "*",
                                         "0.5",
                                         "for i in x"};
    const size_t at = place(text);
    switch (random(5)) {
      case 0: text.erase(at, random(12)); break;
      case 1: text.insert(at, pieces[random(std::size(pieces))]); break;
      case 2: text.replace(at, std::min<size_t>(random(4), text.size() - at), pieces[random(std::size(pieces))]); break;
      case 3: {
        const std::string& other = seeds_[random(seeds_.size())];
        const size_t from = place(other);
        text.insert(at, other.substr(from, random(60)));
        break;
      }
      default:
        if (at < text.size()) text[at] = static_cast<char>(random(256));
    }
    if (text.size() > 40'000) text.resize(40'000);
  }

  const std::vector<std::string>& seeds_;
  uint64_t state_ = 1;
};

rusage used() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

/// Of the processor, so that a busy machine makes nothing slow.
long milliseconds_of(const rusage& usage) { return usage.ru_utime.tv_sec * 1000 + usage.ru_utime.tv_usec / 1000; }

}  // namespace

int main(int count, char** values) {
  long runs = 0, milliseconds = 0, megabytes = 0;
  std::vector<std::string> seeds;
  const auto take = [&](const std::filesystem::path& path) {
    if (std::filesystem::is_regular_file(path)) seeds.push_back(contents(path));
  };
  for (int i = 1; i < count; ++i) {
    const std::string word = values[i];
    long* const limit = word == "--runs"           ? &runs
                        : word == "--milliseconds" ? &milliseconds
                        : word == "--megabytes"    ? &megabytes
                                                   : nullptr;
    if (limit && i + 1 < count) {
      *limit = std::atol(values[++i]);
    } else if (std::filesystem::is_directory(word)) {
      std::vector<std::filesystem::path> files;
      for (const auto& entry : std::filesystem::directory_iterator(word)) files.push_back(entry.path());
      std::sort(files.begin(), files.end());
      for (const auto& file : files) take(file);
    } else {
      take(word);
    }
  }
  if (seeds.empty()) {
    std::cerr << "no input\n";
    return 2;
  }
  int status = 0;
  const auto run = [&](const std::string& input) {
    const rusage before = used();
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
    const rusage after = used();
    const long took = milliseconds_of(after) - milliseconds_of(before), size = after.ru_maxrss / 1024;
    const bool slow = milliseconds > 0 && took > milliseconds,
               large = megabytes > 0 && size > megabytes && after.ru_maxrss > before.ru_maxrss;
    if (!slow && !large) return;
    status = 1;
    std::cout << "---- " << took << " ms, " << size << " MB\n" << input << '\n';
  };
  for (const std::string& seed : seeds) run(seed);
  Variations variations(seeds);
  for (long i = 0; i < runs; ++i) run(variations.next());
  std::cout << seeds.size() << " files and " << runs << " variations\n";
  return status;
}
