#include "render/json.h"

#include <gtest/gtest.h>

#include <limits>

namespace stridescope {
namespace {

TEST(Json, KeepsCommasAndBracketsByItself) {
  Json json;
  json.object()
      .put("a", 1)
      .key("b")
      .array()
      .value("x")
      .null()
      .object()
      .end()
      .array()
      .end()
      .value(true)
      .end()
      .put("c", Dims{2, -3})
      .end();
  EXPECT_EQ(std::move(json).text(), R"({"a":1,"b":["x",null,{},[],true],"c":[2,-3]})");
}

TEST(Json, WritesWholeIntegers) {
  Json json;
  json.array().value(std::numeric_limits<int64_t>::min()).value(std::numeric_limits<uint64_t>::max()).end();
  EXPECT_EQ(std::move(json).text(), "[-9223372036854775808,18446744073709551615]");
}

TEST(Json, EscapesWhatAStringMayNotHold) {
  Json json;
  json.value(std::string_view("a\"\\\n\0/\x1f\x7f", 8));
  EXPECT_EQ(std::move(json).text(), "\"a\\\"\\\\\\u000a\\u0000/\\u001f\x7f\"");
}

TEST(Json, IsUtf8WhateverBytesItIsGiven) {
  Json json;
  json.array().value("维 \xF0\x9F\x93\x8F").value("\xff\xC0\x80").value("cut \xE7\xBB").end();
  EXPECT_EQ(std::move(json).text(), "[\"维 \xF0\x9F\x93\x8F\",\"\\ufffd\\ufffd\\ufffd\",\"cut \\ufffd\\ufffd\"]");
}

}  // namespace
}  // namespace stridescope
