// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strings, streams and locales of the library of C++, of which programs contain parts.

#include "solve/Fixture.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

class Strings : public ProgramTest {
protected:
  /// Of a program that has \p Main and before it \p Classes. It starts a receive into 'r' of the record 'p', in which
  /// there are a string and a stream, too.
  std::string of(llvm::StringRef Classes, llvm::StringRef Main) {
    return classesOf("a.cpp", ("#include <cstring>\n#include <fstream>\n#include <iomanip>\n#include <iostream>\n"
                               "#include <locale>\n#include <sstream>\n#include <string>\n#include <vector>\n" +
                               Classes +
                               "\nstruct Part { std::string s; std::ostringstream o; std::string t; MPI_Request r; };\n"
                               "int main(int argc, char **argv) {\nint b[9]; Part p; MPI_Request q;\n"
                               "MPI_Irecv(b, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &p.r);\n" +
                               Main + "\n(void)b, (void)p, (void)q, (void)argc, (void)argv; return 0; }\n")
                                  .str());
  }
  void expectFollowed(llvm::StringRef Classes, llvm::StringRef Main) {
    std::string Dump = of(Classes, Main);
    EXPECT_TRUE(has(Dump, "completed by MPI_Wait") || !has(Dump, "closed")) << Main.str() << "\n" << Dump;
  }
};

TEST_F(Strings, LeadToNothingBeside) {
  for (const char *Use :
       {"p.s = argv[0]; for (char &c : p.s) c++; std::cout << p.s; for (char c : p.s) std::cout.put(c);",
        "p.s = argv[0]; p.t = std::move(p.s); p.s.swap(p.t); b[p.t[0]] = 1; std::vector<int> v(p.t.size(), 2);"
        "std::cout << v[p.t[1]];",
        "std::getline(std::cin, p.s); std::string u = p.s + p.t; std::cout << u.substr(1)[argc];",
        "std::basic_string<wchar_t> w(3, L'a'); std::vector<std::string> v{p.s, p.t}; std::cout << w[1] << v[argc];"}) {
    std::string Dump = of("", Use);
    EXPECT_TRUE(has(Dump, "closed")) << Use << "\n" << Dump;
  }
}

TEST_F(Strings, HoldWhatIsPutIntoThem) {
  for (const char *Put : {"p.s.assign((char *)&p.r, sizeof p.r);", "p.s.append((char *)&p.r, sizeof p.r);",
                          "for (unsigned i = 0; i < sizeof p.r; i++) p.s.push_back(((char *)&p.r)[i]);",
                          "p.t = std::string((char *)&p.r, sizeof p.r); p.s = std::move(p.t);",
                          "std::string u((char *)&p.r, sizeof p.r); p.t.swap(u); p.s = p.t + u;"}) {
    expectFollowed("", std::string(Put) + "std::memcpy(&q, p.s.data(), sizeof q); MPI_Wait(&q, MPI_STATUS_IGNORE);");
    expectFollowed("", std::string(Put) + "std::string v(std::move(p.s)); "
                                          "std::memcpy(&q, &v[0], sizeof q); MPI_Wait(&q, MPI_STATUS_IGNORE);");
  }
  const char *Traits = "template <class T> struct Of : std::char_traits<char> {\n"
                       "  using char_type = T; using int_type = T;\n"
                       "  static void assign(T &a, const T &b) { a = b; }\n"
                       "  static T *assign(T *a, size_t n, T b) { while (n--) a[n] = b; return a; }\n"
                       "  static T *copy(T *a, const T *b, size_t n) { while (n--) a[n] = b[n]; return a; }\n"
                       "  static T *move(T *a, const T *b, size_t n) { return copy(a, b, n); } };\n"
                       "using Requests = std::basic_string<MPI_Request, Of<MPI_Request>>;\n";
  expectFollowed(Traits, "Requests s(1, p.r), t(std::move(s)); MPI_Wait(&t[0], MPI_STATUS_IGNORE);");
  expectFollowed(Traits, "Requests s; s += p.r; Requests t; t = s; MPI_Wait(&t[0], MPI_STATUS_IGNORE);");
}

TEST_F(Strings, StreamsLeadToNothingBeside) {
  for (const char *Use :
       {"p.o << std::setw(3) << std::setfill('0') << argc << std::endl; std::cout << p.o.str() << p.o.fill();",
        "std::ifstream f(argv[0]); std::string l; while (std::getline(f, l)) p.s += l + f.widen('a'); p.o << p.s;",
        "std::ofstream f; f.open(\"a\", std::ios::app); f << p.s << std::setprecision(3) << 1.5 << '\\n'; f.close();",
        "std::ofstream f(argv[0]); auto *old = std::cout.rdbuf(f.rdbuf()); std::cout << p.s; std::cout.rdbuf(old);",
        "std::cout.fill('a'); std::cout << std::fixed << std::cin.fill() << p.o.getloc().name();"}) {
    std::string Dump = of("", Use);
    EXPECT_TRUE(has(Dump, "closed")) << Use << "\n" << Dump;
  }
}

TEST_F(Strings, FunctionsOfTheProgramThatStreamsCall) {
  const char *Classes =
      "static MPI_Request *last; static void wait(MPI_Request *r) { MPI_Wait(r, MPI_STATUS_IGNORE); }\n"
      "struct Out : std::streambuf { MPI_Request *p = nullptr;\n"
      "  int overflow(int c) override { wait(p); return c; }\n"
      "  std::streamsize xsputn(const char *, std::streamsize n) override { wait(p); return n; }\n"
      "  int underflow() override { wait(p); return traits_type::eof(); } };\n"
      "struct File : std::filebuf { MPI_Request *p = nullptr; int sync() override { wait(p); return 0; } };\n"
      "struct Type : std::ctype<char> { MPI_Request *p; Type(MPI_Request *q) : p(q) {}\n"
      "  char do_widen(char c) const override { wait(p); return c; } };\n"
      "struct Mine : std::locale::facet { static std::locale::id id; MPI_Request *p; Mine(MPI_Request *q) : p(q) {} "
      "};\n"
      "std::locale::id Mine::id;\n"
      "struct Point : std::numpunct<char> { MPI_Request *p; Point(MPI_Request *q) : p(q) {}\n"
      "  char do_thousands_sep() const override { wait(p); return ','; } };\n";
  for (const char *Use :
       {"Out o; o.p = &p.r; std::ostream s(&o); s << argc;",
        "Out o; o.p = &p.r; std::cout.rdbuf(&o); std::cout << argc;",
        "Out o; o.p = &p.r; std::istream s(nullptr); s.rdbuf(&o); s >> argc;",
        "Out o; o.p = &p.r; std::ostream s(&o); std::ostream t(s.rdbuf()); t.put('a');",
        "File f; f.p = &p.r; f.open(argv[0], std::ios::in); std::istream s(&f); s.sync();",
        "std::locale l(std::locale(), new Type(&p.r)); p.o.imbue(l); std::cout << p.o.widen('a');",
        "std::locale l(std::locale(), new Type(&p.r)); std::locale::global(l); std::ostringstream s; s.fill();",
        "std::locale l(std::locale(), new Point(&p.r)), m(l); std::cout.imbue(m); std::cout << argc;",
        "std::locale l(std::locale(), new Mine(&p.r)), m = l; wait(std::use_facet<Mine>(m).p);",
        "std::locale l(std::locale(), new Mine(&p.r)); p.o.imbue(l); wait(std::use_facet<Mine>(p.o.getloc()).p);",
        "std::locale::global(std::locale(std::locale(), new Mine(&p.r))); wait(std::use_facet<Mine>(std::locale()).p);",
        "p.o.pword(0) = &p.r; wait((MPI_Request *)p.o.pword(0));",
        "std::cout.pword(0) = &p.r; wait((MPI_Request *)std::cout.pword(0));"})
    expectFollowed(Classes, Use);
}

} // namespace
