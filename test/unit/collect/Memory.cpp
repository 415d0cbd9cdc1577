// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program's own layers over malloc and free do with the memory that goes through them.

#include "Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

/// What is said of the parameter at \p Position ("0") or "result" of function f in \p Code: "alone", "followed",
/// "bytes" or, where nothing is, "unsaid" (which counts as bytes); and what it depends on: "alone if give#0".
static std::string ofF(llvm::StringRef Code, llvm::StringRef Position, Language L = Language::C) {
  Facts F =
      collect(L, "#include <stdlib.h>\n#include <string.h>\nvoid *take(size_t);\nvoid give(void *);\n" + Code.str());
  EXPECT_EQ(F.Errors, "");
  auto Short = [](llvm::StringRef Id) { return Id.substr(Id.find("@F@") + 3); };
  for (const MemoryUse &M : F.Unit.Memory) {
    auto [Function, Of] = Short(M.Id).rsplit('#');
    if (Function.split('#').first != "f" || Of != Position)
      continue;
    std::string Text = M.Does == MemoryUse::Kind::Alone      ? "alone"
                       : M.Does == MemoryUse::Kind::Followed ? "followed"
                                                             : "bytes";
    for (const std::string &Id : M.DependsOn)
      Text += " if " + Short(Id).str();
    return Text;
  }
  return "unsaid";
}

TEST(MemoryUses, WhatIsJustMade) {
  EXPECT_EQ(ofF("void *f(size_t n) { void *p = malloc(n); if (!p) exit(1); return p; }", "result"), "alone");
  EXPECT_EQ(ofF("char *f(size_t n) { return n ? (char *)calloc(n, 1) : NULL; }", "result"), "alone");
  EXPECT_EQ(ofF("void *f(size_t n) { void *p = malloc(n); memset(p, 0, n); return p; }", "result"), "alone")
      << "cleared memory holds nothing";
  EXPECT_EQ(ofF("void *f(size_t n) { return take(n); }", "result"), "alone if take#result");
}

TEST(MemoryUses, WhatSomebodyElseKnows) {
  EXPECT_EQ(ofF("void *f(size_t n) { static void *p; p = malloc(n); return p; }", "result"), "unsaid");
  EXPECT_EQ(ofF("void *last; void *f(size_t n) { void *p = malloc(n); last = p; return p; }", "result"), "unsaid");
  EXPECT_EQ(ofF("void *f(size_t n) { char *p = (char *)malloc(n); return p + 8; }", "result"), "unsaid");
  EXPECT_EQ(ofF("char *f(size_t n) { char *p = (char *)malloc(n); p[0] = 0; return p; }", "result"), "unsaid");
  EXPECT_EQ(ofF("void *f(void) { return getenv(\"HOME\"); }", "result"), "unsaid") << "not memory of ours";
  EXPECT_EQ(ofF("void *f(void *(*make)(size_t)) { return make(8); }", "result"), "unsaid");
}

TEST(MemoryUses, WhatIsGivenBack) {
  EXPECT_EQ(ofF("void f(void *p) { if (p) free(p); }", "0"), "alone");
  EXPECT_EQ(ofF("void f(void *p) { give(p); }", "0"), "alone if give#0");
  EXPECT_EQ(ofF("void f(void **p) { free(*p); }", "0"), "unsaid") << "a pointer to a pointer is no memory";
  EXPECT_EQ(ofF("void f(void *p, size_t n) { memset(p, 0, n); free(p); }", "0"), "unsaid")
      << "requests in it would become null";
  EXPECT_EQ(ofF("void f(char *p) { if (p[0]) free(p); }", "0"), "unsaid");
  EXPECT_EQ(ofF("void *kept; void f(void *p) { kept = p; }", "0"), "unsaid");
  EXPECT_EQ(ofF("void f(void *p, void (*release)(void *)) { release(p); }", "0"), "unsaid");
}

TEST(MemoryUses, WhatGoesThrough) {
  const char *Resize = "void *f(void *p, size_t n) { void *q = realloc(p, n); if (!q) exit(1); return q; }";
  EXPECT_EQ(ofF(Resize, "0"), "followed");
  EXPECT_EQ(ofF(Resize, "result"), "followed");
  const char *Exchange = "void f(void *p, void *q) { void *r = p; p = q; q = r; free(p); free(q); }";
  EXPECT_EQ(ofF(Exchange, "0"), "unsaid") << "two parameters that may be one another";
}

TEST(MemoryUses, OfFunctionsThatMayBeOthers) {
  EXPECT_EQ(ofF("struct A { virtual void f(void *p) { free(p); } };", "0", Language::Cxx), "unsaid");
  EXPECT_EQ(ofF("extern \"C\" void f(void *p) { free(p); }", "0", Language::Cxx), "alone");
  EXPECT_EQ(ofF("extern \"C\" void f(void *p) { [=] { free(p); }(); }", "0", Language::Cxx), "unsaid");
  EXPECT_EQ(ofF("void f(void *p, ...) { free(p); }", "0"), "unsaid");
}
