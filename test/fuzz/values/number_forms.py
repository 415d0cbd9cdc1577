# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forms of numbers from 1 to 99, for tags and ranks (see c_forms.py)."""

from c_forms import FORMS, form


def number(name, body, out, top="", headers="", language="both"):
    form(name, body, out, top, "int", headers, language)


number("a narrow parameter", "int v@ = cut@(65536 + $x);", "v@", "static int cut@(short n) { return n; }")
number("a signed char", "signed char c@ = (signed char)(256 + $x);", "c@")
number("an unsigned wrap", "unsigned u@ = (unsigned)$x - 200u; u@ += 200u;", "(int)u@")
number("a wrap of char", "unsigned char c@ = (unsigned char)($x + 250); c@ += 6;", "c@")
number("a bit-field", "struct { unsigned n : 7; int m : 4; } b@; b@.n = (unsigned)$x + 128; b@.m = 3;", "(int)b@.n")
number("a bit-field beside", "struct { unsigned a : 5, b : 7, c : 20; } b@; b@.a = 31; b@.b = (unsigned)$x; b@.c = 77;",
       "(int)b@.b")
number("a part of a larger number", "long long n@ = 5; int v@ = $x; memcpy(&n@, &v@, 4);", "(int)n@",
       headers="string.h")
number("the low half", "long n@ = 7l << 32 | $x; int v@; memcpy(&v@, &n@, 4);", "v@", headers="string.h")
number("equal bytes", "int v@ = 7, w@ = $x; memset(&v@, w@, 1);", "v@", headers="string.h")
number("a remainder", "int v@ = ($x + 300) % 100;", "v@")
number("a quotient", "int v@ = $x * 6 / 3 / 2;", "v@")
number("div", "div_t d@ = div($x * 7 + 3, 7);", "d@.quot", headers="stdlib.h")
number("labs", "int v@ = (int)labs(-(long)$x);", "v@", headers="stdlib.h")
number("minimum", "int a@ = $x, v@ = a@ < 1000 ? a@ : 1000;", "v@")
number("not twice", "int v@ = ~$x;", "~v@")
number("a shift", "int v@ = $x << 20;", "v@ >> 20")
number("an unsigned shift", "unsigned v@ = (unsigned)$x << 25;", "(int)(v@ >> 25)")
number("exclusive or", "int a@ = 1234, b@ = $x; a@ ^= b@; b@ ^= a@; a@ ^= b@;", "a@")
number("a sum of ones", "int v@ = 0, i@; for (i@ = 0; i@ < $x; i@++) v@++;", "v@")
number("a countdown", "int v@ = 200, i@ = $x; while (i@ != v@) v@--;", "v@")
number("steps of three", "int v@ = $x, i@; for (i@ = 0; i@ < 30; i@ += 3) v@ += 3;", "v@ - 30")
number("steps that wrap", "unsigned char v@ = (unsigned char)$x; int i@; for (i@ = 0; i@ < 256; i@++) v@++;", "v@")
number("truth", "int v@ = $x, t@ = v@ > 0;", "v@ * t@")
number("a logical value as all bits", "int v@ = $x, t@ = -(v@ > 0);", "v@ & t@")
number("a choice of constants", "int v@ = $x; v@ = v@ == 7 ? 7 : v@ == 8 ? 8 : v@;", "v@")
number("a float", "float f@ = (float)$x / 4;", "(int)(f@ * 4)")
number("rounding", "int v@ = (int)floor($x + 0.5);", "v@", headers="math.h")
number("modf", "double w@; modf($x + 0.25, &w@);", "(int)w@", headers="math.h")
number("frexp", "int e@; double f@ = frexp((double)$x, &e@);", "(int)ldexp(f@, e@)", headers="math.h")
number("the length of a text", "char s@[200]; int i@; for (i@ = 0; i@ < $x; i@++) s@[i@] = 'x'; s@[i@] = 0;",
       "(int)strlen(s@)", headers="string.h")
number("the place in a text", "char s@[128]; int i@; for (i@ = 0; i@ < 127; i@++) s@[i@] = (char)(i@ + 1);"
       " s@[127] = 0;",
       "(int)(strchr(s@, $x) - s@) + 1", headers="string.h")
number("what printf returns", "int v@ = snprintf(0, 0, \"%*d\", $x, 5);", "v@", headers="stdio.h")
number("%n", "int v@ = 3; char s@[200]; snprintf(s@, sizeof s@, \"%*d%n\", $x, 5, &v@);", "v@", headers="stdio.h")
number("digits by hand", "char s@[3]; int v@ = $x; s@[0] = (char)('0' + v@ / 10); s@[1] = (char)('0' + v@ % 10);"
       " s@[2] = 0;", "(s@[0] - '0') * 10 + s@[1] - '0'")
number("a character", "char c@ = (char)toupper('a' + 0); int v@ = $x + c@;", "v@ - 'A'", headers="ctype.h")
number("an enumeration", "enum e@ { a@ = 3, b@ = 70 } e@ = (enum e@)$x;", "(int)e@")
number("_Bool", "_Bool b@ = $x; int v@ = $x;", "v@ * b@", language="c")
number("getopt's flag", "int f@ = 5; char *a@[] = {(char *)\"p\", (char *)\"--on\", 0}; struct option o@[] = {{\"on\","
       " no_argument, &f@, $x}, {0, 0, 0, 0}}; optind = 1; getopt_long(2, a@, \"\", o@, 0);", "f@", headers="getopt.h")
number("an overflow that is looked at", "int v@; (void)__builtin_add_overflow($x, 1000, &v@);", "v@ - 1000")
number("bits counted", "unsigned long n@ = (1ul << ($x % 64)) - 1; int v@ = $x;",
       "__builtin_popcountl(n@) + v@ / 64 * 64")
number("a vector's elements", "typedef int iv@ __attribute__((vector_size(16))); iv@ v@ = {1, 2, 3, 4};"
       " v@ = v@ + $x;", "v@[1] - 2")
number("a maximum over ranks", "int v@ = $x, w@ = 3; MPI_Allreduce(&v@, &w@, 1, MPI_INT, MPI_MAX, MPI_COMM_SELF);",
       "w@")
number("a broadcast", "int v@ = $x; MPI_Bcast(&v@, 1, MPI_INT, 0, MPI_COMM_SELF);", "v@")
number("a size of a type", "int v@; MPI_Datatype t@; MPI_Type_contiguous($x, MPI_BYTE, &t@); MPI_Type_size(t@, &v@);"
       " MPI_Type_free(&t@);", "v@")
number("a name", "char n@[MPI_MAX_OBJECT_NAME]; int v@ = 3; snprintf(n@, sizeof n@, \"%*d\", $x, 1);"
       " MPI_Comm_set_name(MPI_COMM_SELF, n@); MPI_Comm_get_name(MPI_COMM_SELF, n@, &v@);", "v@", headers="stdio.h")
number("an empty status and a number", "MPI_Status s@; int f@, v@ = $x; MPI_Request q@ = MPI_REQUEST_NULL;"
       " MPI_Test(&q@, &f@, &s@); v@ += s@.MPI_TAG;", "v@ - s@.MPI_TAG")
number("a count in a status", "MPI_Status s@; int v@; memset(&s@, 0, sizeof s@); MPI_Status_set_elements(&s@,"
       " MPI_BYTE, $x); MPI_Get_count(&s@, MPI_BYTE, &v@);", "v@", headers="string.h")
number("a member of a status", "MPI_Status s@; s@.MPI_TAG = $x; s@.MPI_SOURCE = 3; MPI_Status t@ = s@;", "t@.MPI_TAG")
number("iota", "std::vector<int> a@(4); std::iota(a@.begin(), a@.end(), $x);", "a@[3] - 3", headers="numeric vector",
       language="c++")
number("partial_sum", "std::vector<int> a@{1, $x}; std::partial_sum(a@.begin(), a@.end(), a@.begin());", "a@[1] - 1",
       headers="numeric vector", language="c++")
number("inner_product", "std::vector<int> a@{1, 2}, b@{0, $x};",
       "std::inner_product(a@.begin(), a@.end(), b@.begin(), 0) / 2", headers="numeric vector", language="c++")
number("adjacent_difference", "std::vector<int> a@{10, 10 + $x}; std::adjacent_difference(a@.begin(), a@.end(),"
       " a@.begin());", "a@[1]", headers="numeric vector", language="c++")
number("generate", "int n@ = $x; std::vector<int> a@(3); std::generate(a@.begin(), a@.end(), [&] { return n@++; });",
       "a@[2] - 2", headers="algorithm vector", language="c++")
number("count_if", "std::vector<int> a@($x, 1);", "(int)std::count(a@.begin(), a@.end(), 1)",
       headers="algorithm vector", language="c++")
number("a size", "std::vector<char> a@($x);", "(int)a@.size()", headers="vector", language="c++")
number("a distance", "std::list<char> a@($x);", "(int)std::distance(a@.begin(), a@.end())", headers="list iterator",
       language="c++")
number("a view of numbers", "int v@ = 0; for (int i : std::views::iota($x) | std::views::take(2)) v@ = i;", "v@ - 1",
       headers="ranges", language="c++")
number("reading from a stream", "std::istringstream s@(std::to_string($x)); int v@ = 3; s@ >> v@;", "v@",
       headers="sstream string", language="c++")
number("a literal of its own", "int v@ = 0_n@ + $x;", "v@",
       "constexpr int operator\"\"_n@(unsigned long long n) { return (int)n; }", language="c++")
number("an index of a type", "std::variant<int, char> o@ = 'x'; int v@ = $x + (int)o@.index();", "v@ - 1",
       headers="variant", language="c++")
number("clamp and minmax", "int v@ = std::clamp($x, 1, 99); auto m@ = std::minmax({v@, 500});", "m@.first",
       headers="algorithm", language="c++")
number("midpoint and gcd", "int v@ = std::midpoint($x - 1, $x + 1);", "std::gcd(v@ * 2, v@ * 3)", headers="numeric",
       language="c++")
