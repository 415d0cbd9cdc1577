// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Containers of the library of C++ whose nodes lead to a place in the container itself, which is in a record beside
// other things.

#include "solve/Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

class Containers : public ProgramTest {
protected:
  /// Of a program that has \p Main and before it \p Before. It starts a receive into 'r' of the record 'p', in which it
  /// comes behind \p Member.
  std::string of(llvm::StringRef Member, llvm::StringRef Before, llvm::StringRef Main) {
    return classesOf("a.cpp",
                     ("#include <list>\n#include <map>\n#include <set>\n#include <new>\n"
                      "#include <tr1/unordered_map>\n#include <unordered_map>\n#include <utility>\n#include <vector>\n"
                      "struct Part { " +
                      Member + " MPI_Request r; };\n" + Before +
                      "\nint main(int argc, char **argv) {\nint b[9]; Part p; MPI_Request q;\n"
                      "MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &p.r);\n" +
                      Main + "\n(void)b, (void)p, (void)q, (void)argc, (void)argv; return 0; }\n")
                         .str());
  }
};

TEST_F(Containers, LeadToNothingBeside) {
  const char *Wait = "MPI_Wait(&p.r, MPI_STATUS_IGNORE);";
  for (auto [Member, Use] : std::initializer_list<std::pair<const char *, const char *>>{
           {"std::map<long, long> c;", "p.c[argc] = 2; for (auto &e : p.c) library(e.second);"},
           {"std::map<long, long> c;", "p.c.insert({argc, 2}); auto i = p.c.find(3); library(i->second);"},
           {"std::set<std::pair<long, long>> c;", "p.c.insert({argc, 2}); library(p.c.begin()->second);"},
           {"std::list<std::pair<long, long>> c;",
            "p.c.push_back({argc, 2}); p.c.sort(); for (auto &e : p.c) library(e.second);"},
           {"std::unordered_map<long, long> c;", "p.c[argc] = 2; p.c.erase(3); for (auto &e : p.c) library(e.second);"},
           {"std::unordered_multimap<long, char *> c;", "p.c.emplace(argc, argv[0]); *p.c.find(3)->second = 1;"}}) {
    std::string Dump = of(Member, "void library(long);", std::string(Use) + Wait);
    EXPECT_TRUE(has(Dump, "closed") && has(Dump, "completed by MPI_Wait")) << Member << Use << "\n" << Dump;
  }
}

// The older ones of hashed keys take how many buckets there are from a table of the library's. Of another library's it
// is not known what is there, but what is left of that when it is divided is an index.
TEST_F(Containers, HaveAsManyBucketsAsATableSays) {
  const char *Before = "void library(long); extern const unsigned long primes[];";
  for (auto [Member, Use, Is] : std::initializer_list<std::tuple<const char *, const char *, bool>>{
           {"std::tr1::unordered_map<long, long> c;", "p.c[argc] = 2; library(p.c.find(3)->second);", true},
           {"MPI_Request *c[8];", "p.c[argc % 8] = &p.r; *p.c[3] = p.r;", true},
           {"MPI_Request *c[8];", "p.c[primes[argc] % 8] = &p.r; *p.c[primes[3] % 8] = p.r;", true},
           {"MPI_Request *c[8];", "p.c[primes[argc] / 8] = &p.r; *p.c[primes[3] / 8] = p.r;", false}}) {
    std::string Dump = of(Member, Before, std::string(Use) + "MPI_Wait(&p.r, MPI_STATUS_IGNORE);");
    EXPECT_EQ(has(Dump, "closed"), Is) << Member << Use << "\n" << Dump;
  }
  std::string Dump = of("std::tr1::unordered_map<long, MPI_Request> c;", Before,
                        "p.c[argc] = p.r; auto d = p.c; q = d.find(1)->second; MPI_Wait(&q, MPI_STATUS_IGNORE);");
  EXPECT_TRUE(has(Dump, "MPI_Irecv completed by MPI_Wait")) << Dump;
}

TEST_F(Containers, HoldWhatIsPutIntoThem) {
  const char *Wait = "MPI_Wait(&q, MPI_STATUS_IGNORE);";
  const char *Arena = "alignas(16) static char arena[400]; struct Two { long n; std::map<long, MPI_Request> c; };";
  for (auto [Member, Use] : std::initializer_list<std::pair<const char *, const char *>>{
           {"std::map<long, MPI_Request> c;", "p.c[argc] = p.r; auto d = std::move(p.c); q = d.begin()->second;"},
           {"std::map<long, MPI_Request> c;", "p.c[argc] = p.r; Part o; o.c.swap(p.c); q = o.c.rbegin()->second;"},
           {"std::map<long, MPI_Request> c;",
            "std::vector<std::map<long, MPI_Request>> v(3, p.c); v[argc][1] = p.r; q = v[b[1]].begin()->second;"},
           {"std::map<long, MPI_Request> c;",
            "auto *t = new (arena + 16 * argc) Two; t->c[1] = p.r; q = ((Two *)(arena + 16))->c.find(1)->second;"},
           {"std::map<long, MPI_Request> c[4];", "p.c[argc][1] = p.r; q = p.c[2].begin()->second;"},
           {"std::map<long, MPI_Request> c[4];", "for (auto &c : p.c) c[1] = p.r; q = p.c[2].begin()->second;"},
           {"std::list<MPI_Request> c;", "p.c.push_back(p.r); std::list<MPI_Request> d; d.splice(d.end(), p.c);"
                                         "q = d.front();"},
           {"std::list<MPI_Request> c;", "p.c.push_back(p.r); auto d = std::move(p.c); d.reverse(); q = d.back();"},
           {"std::unordered_map<long, MPI_Request> c;", "p.c[argc] = p.r; auto d = p.c; q = d.find(1)->second;"},
           {"std::unordered_map<long, MPI_Request> c;",
            "p.c[argc] = p.r; auto d = std::move(p.c); q = d.begin()->second;"},
           {"std::unordered_map<long, MPI_Request> c;",
            "p.c[argc] = p.r; p.c.rehash(1); Part o; o.c.swap(p.c); q = o.c[1];"}}) {
    std::string Dump = of(Member, Arena, std::string(Use) + Wait);
    EXPECT_TRUE(has(Dump, "completed by MPI_Wait")) << Member << Use << "\n" << Dump;
  }
}

TEST_F(Containers, GoOutOfSightAsAWhole) {
  for (const char *Member : {"std::map<long, MPI_Request> c;", "std::list<std::pair<long, MPI_Request>> c;",
                             "std::unordered_map<long, MPI_Request> c;"})
    for (const char *Use :
         {"p.c.insert(p.c.end(), {argc, q}); library(&p); p.c.insert(p.c.end(), {argc, p.r});",
          "library(&p); p.c.insert(p.c.end(), {argc, p.r});", "p.c.insert(p.c.end(), {argc, p.r}); library(&p.c);",
          "auto *n = new Part; n->c.insert(n->c.end(), {argc, p.r}); library(n);"}) {
      std::string Dump = of(Member, "void library(void *);", Use);
      EXPECT_FALSE(has(Dump, "closed")) << Member << Use << "\n" << Dump;
    }
}

} // namespace
