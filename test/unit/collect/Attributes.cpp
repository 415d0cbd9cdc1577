// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which attributes stand among tokens.

#include "readings/Attributes.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace mpishm;

/// The list at the beginning of \p Text, whose tokens spaces separate: "gnu:packed harmless, 9" for such that ends
/// behind the ninth; a word in quotes is a literal.
static std::string read(llvm::StringRef Text) {
  std::vector<ReadToken> Tokens;
  for (llvm::StringRef Word : llvm::split(Text, ' '))
    Tokens.push_back({Word, {}, Word.starts_with("\""), false});
  std::optional<AttributeList> List = attributesAt(Tokens, 0);
  if (!List)
    return "none";
  std::string Result;
  for (const Attribute &A : List->Attributes)
    Result += A.Scope.str() + ":" + A.Name->Text.str() + (A.isHarmless() ? " harmless, " : ", ");
  return Result + std::to_string(List->End) + (List->isHarmless() ? " harmless" : "");
}

TEST(Attributes, OfGnu) {
  EXPECT_EQ(read("__attribute__ ( ( __unused__ , format ( printf , 1 , 2 ) ) ) int"),
            "gnu:__unused__ harmless, gnu:format harmless, 15 harmless");
  EXPECT_EQ(read("__attribute ( ( cold , packed ) ) int"), "gnu:cold harmless, gnu:packed, 8");
  EXPECT_EQ(read("__attribute__ ( ( ) ) int"), "5 harmless");
}

TEST(Attributes, InBrackets) {
  EXPECT_EQ(read("[ [ nodiscard ] ] int"), ":nodiscard harmless, 5 harmless");
  EXPECT_EQ(read("[ [ gnu :: cold , clang :: optnone ] ]"), "gnu:cold harmless, clang:optnone harmless, 11 harmless");
  EXPECT_EQ(read("[ [ using gnu : cold , packed ] ]"), "gnu:cold harmless, gnu:packed, 10");
  EXPECT_EQ(read("[ [ vendor :: cold ( 1 ) ] ]"), "vendor:cold, 10") << "nobody knows what it means there";
  EXPECT_EQ(read("[ [ deprecated ( \"]\" ) ] ]"), ":deprecated harmless, 8 harmless");
}

TEST(Attributes, WhatIsNone) {
  EXPECT_EQ(read("a [ 1 ]"), "none");
  EXPECT_EQ(read("[ a [ 1 ] ]"), "none");
  EXPECT_EQ(read("__attribute__ ( unused )"), "none");
  EXPECT_EQ(read("[ [ nodiscard"), "none") << "it does not end";
  EXPECT_EQ(read("__attribute__ ( ( unused int ) )"), "gnu:unused harmless, 7") << "what else stands there may matter";
}
