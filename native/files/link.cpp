#include "files/link.h"

#include <zlib.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "stridescope.h"

namespace stridescope {
namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string base64url(std::string_view bytes) {
  std::string text;
  unsigned held = 0;
  int bits = 0;
  for (const char byte : bytes) {
    held = held << 8 | static_cast<unsigned char>(byte);
    for (bits += 8; bits >= 6;) text += digits[held >> (bits -= 6) & 63];
  }
  if (bits > 0) text += digits[held << (6 - bits) & 63];
  return text;
}

std::optional<std::string> bytes_of(std::string_view base64) {
  std::string bytes;
  unsigned held = 0;
  int bits = 0;
  for (char c : base64) {
    if (c == '=') break;
    if (c == '+') c = '-';
    if (c == '/') c = '_';
    const size_t digit = digits.find(c);
    if (digit == std::string_view::npos) return {};
    held = held << 6 | static_cast<unsigned>(digit);
    if ((bits += 6) >= 8) bytes += static_cast<char>(held >> (bits -= 8) & 255);
  }
  return bytes;
}

std::string deflated(std::string bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK) return {};
  std::string result(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

std::optional<std::string> inflated(std::string bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return {};
  std::string result(most_inflated_bytes + 1, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  const int status = inflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  inflateEnd(&stream);
  if (status != Z_STREAM_END || result.size() > most_inflated_bytes) return {};
  return result;
}

/// Where the value of `key` stands: from behind "key=" to the next '&'.
std::optional<std::pair<size_t, size_t>> value_of(std::string_view text, std::string_view key) {
  for (size_t begin = text.starts_with('#') ? 1 : 0; begin < text.size();) {
    const size_t end = std::min(text.find('&', begin), text.size());
    if (text.substr(begin, key.size()) == key && text.substr(begin + key.size(), 1) == "=")
      return {{begin + key.size() + 1, end}};
    begin = end + 1;
  }
  return {};
}

}  // namespace

std::string pack_link(const std::string& document) {
  const auto place = value_of(document, "code");
  if (!place) return document;
  const auto [begin, end] = *place;
  std::vector<Diagnostic> problems;
  const std::string source = parse_document(document, problems).source;
  const std::string packed = document.substr(0, begin - 5) + "z=" + base64url(deflated(source)) + document.substr(end);
  return packed.size() * 5 <= document.size() * 4 ? packed : document;
}

std::optional<std::string> unpack_link(std::string_view fragment) {
  const auto place = value_of(fragment, "z");
  if (!place || value_of(fragment, "code")) return std::string(fragment);
  const auto [begin, end] = *place;
  if (fragment.size() > most_inflated_bytes) return {};
  const auto bytes = bytes_of(fragment.substr(begin, end - begin));
  const auto source = bytes ? inflated(*bytes) : std::nullopt;
  if (!source) return {};
  return std::string(fragment.substr(0, begin - 2)) + "code=" + percent_encoded(*source) +
         std::string(fragment.substr(end));
}

}  // namespace stridescope
