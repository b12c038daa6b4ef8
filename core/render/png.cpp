#include "render/png.h"

#include <algorithm>

namespace stridescope {
namespace {

constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";
constexpr size_t header_size = 8 + 4 + 4 + 13 + 4;  // the signature and the chunk IHDR

std::string big_endian(uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

/// @pre  4 bytes at `at`
uint32_t big_endian_at(std::string_view bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = at; i < at + 4; ++i) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

uint32_t checksum(std::string_view type_and_data) {
  uint32_t crc = 0xFFFFFFFF;
  for (char c : type_and_data) {
    crc ^= static_cast<uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xEDB88320 : 0);
  }
  return ~crc;
}

std::string chunk(const std::string& type_and_data) {
  return big_endian(static_cast<uint32_t>(type_and_data.size() - 4)) + type_and_data +
         big_endian(checksum(type_and_data));
}

/// A zlib stream of stored blocks (RFC 1950 and 1951).
std::string stored(const std::string& bytes) {
  uint32_t a = 1, b = 0;  // Adler-32
  for (char c : bytes) a = (a + static_cast<uint8_t>(c)) % 65521, b = (b + a) % 65521;
  std::string data = "\x78\x01";
  for (size_t at = 0; at < bytes.size(); at += 65535) {
    const auto count = static_cast<uint16_t>(std::min<size_t>(65535, bytes.size() - at));
    data += at + count == bytes.size() ? '\1' : '\0';
    for (int value : {count & 255, count >> 8, ~count & 255, ~count >> 8 & 255}) data += static_cast<char>(value);
    data += bytes.substr(at, count);
  }
  return data + big_endian(b << 16 | a);
}

}  // namespace

std::string png(const Image& image, const std::array<Color, 256>& palette) {
  std::string rows, entries = "PLTE";
  for (int32_t y = 0; y < image.rows; ++y) {
    rows += '\0';  // no filter
    for (int32_t x = 0; x < image.columns; ++x)
      rows += static_cast<char>(
          image.shades[static_cast<size_t>(y) * static_cast<size_t>(image.columns) + static_cast<size_t>(x)]);
  }
  for (const Color& color : palette)
    (entries += static_cast<char>(color.r), entries += static_cast<char>(color.g)) += static_cast<char>(color.b);
  return std::string(signature) +
         chunk("IHDR" + big_endian(static_cast<uint32_t>(image.columns)) +
               big_endian(static_cast<uint32_t>(image.rows)) + std::string("\x08\x03\0\0\0", 5)) +
         chunk(entries) + chunk("IDAT" + stored(rows)) + chunk("IEND");
}

bool is_png(std::string_view bytes) { return bytes.starts_with(signature); }

std::string with_text(std::string_view picture, std::string_view keyword, std::string_view text) {
  std::string result(picture.substr(0, header_size));
  result += chunk("tEXt" + std::string(keyword) + '\0' + std::string(text));
  return result += picture.substr(header_size);
}

PngText text_in(std::string_view picture, std::string_view keyword) {
  for (size_t at = signature.size(); at < picture.size();) {
    constexpr size_t around = 4 + 4 + 4;  // length, type, sum
    if (picture.size() - at < around) return {.damaged = true};
    const size_t length = big_endian_at(picture, at);
    if (length > picture.size() - at - around) return {.damaged = true};
    const std::string_view type_and_data = picture.substr(at + 4, 4 + length), data = type_and_data.substr(4);
    if (type_and_data.starts_with("tEXt") && data.starts_with(keyword) && data.size() > keyword.size() &&
        data[keyword.size()] == '\0') {
      if (checksum(type_and_data) != big_endian_at(picture, at + 8 + length)) return {.damaged = true};
      return {.text = data.substr(keyword.size() + 1)};
    }
    if (type_and_data.starts_with("IEND")) return {};
    at += around + length;
  }
  return {.damaged = true};
}

}  // namespace stridescope
