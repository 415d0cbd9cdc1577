// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers over malloc and free that all units together take for such.

#include "Facts.h"

using namespace mpishm;
using namespace mpishm::test;

using Kind = MemoryUse::Kind;

namespace {

/// Two kinds of memory that one function makes, resizes or frees: the requests of an exchange, and those of a library.
class Layers : public testing::Test {
protected:
  Layers() {
    U.body("c:@F@give").body("c:@F@inner");
    U.at(10).exchange(constant(1), World, "c:reqs");
    for (Operand Value : {U.request("c:reqs"), U.request("c:other")}) {
      U.argument("c:@F@give", 0, Value, Domain::Request, true);
      U.Facts.Escapes.push_back({Escape::Kind::Cast, Domain::Request, Value, U.here(), "void *", "c:@F@give#0"});
    }
    U.argument("c:@F@library_wait", 0, U.request("c:other"), Domain::Request, true);
  }
  void use(Unit &In, const std::string &Id, Kind Does, std::vector<std::string> DependsOn = {}) {
    In.Facts.Memory.push_back({Id, Does, std::move(DependsOn)});
  }
  bool isClosed() { return rewritten(decide(U), 10); }

  Unit U;
};

} // namespace

TEST_F(Layers, OfWhichNothingIsSaidUseTheBytes) { EXPECT_EQ(reasonAt(decide(U), 10), Diagnostic::RequestEscapes); }

TEST_F(Layers, ThatOnlyFreeAreForgotten) {
  use(U, "c:@F@give#0", Kind::Alone);
  EXPECT_TRUE(isClosed());
}

TEST_F(Layers, ThatHandOnAreForgotten) {
  use(U, "c:@F@give#0", Kind::Followed);
  EXPECT_TRUE(isClosed());
}

TEST_F(Layers, ThatUseTheBytesAreNot) {
  use(U, "c:@F@give#0", Kind::Bytes);
  EXPECT_FALSE(isClosed());
}

TEST_F(Layers, TheWorstViewCounts) {
  use(U, "c:@F@give#0", Kind::Alone);
  Unit Other("/p/b.c", false);
  use(Other, "c:@F@give#0", Kind::Bytes);
  EXPECT_FALSE(rewritten(decide(U, Other), 10));
  EXPECT_FALSE(rewritten(decide(Other, U), 10)) << "in either order";
}

TEST_F(Layers, AreAsWhatTheyCall) {
  use(U, "c:@F@give#0", Kind::Alone, {"c:@F@inner#0"});
  EXPECT_FALSE(isClosed()) << "nothing is said of the inner one";
  use(U, "c:@F@inner#0", Kind::Alone);
  EXPECT_TRUE(isClosed());
  use(U, "c:@F@inner#0", Kind::Followed);
  EXPECT_FALSE(isClosed()) << "it goes on from there";
}

TEST_F(Layers, DependOnOneAnotherOverAnyNumberOfCalls) {
  use(U, "c:@F@give#0", Kind::Alone, {"c:@F@inner#0"});
  use(U, "c:@F@inner#0", Kind::Alone, {"c:@F@innermost#0"});
  use(U, "c:@F@innermost#0", Kind::Alone, {"c:@F@give#0"}); // a circle is no harm
  EXPECT_TRUE(isClosed());
  use(U, "c:@F@innermost#0", Kind::Bytes);
  EXPECT_FALSE(isClosed());
}
