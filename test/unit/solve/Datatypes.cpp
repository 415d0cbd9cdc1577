// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What messages carry, by their datatypes and counts; what is handed out as floating-point numbers; indices that come
// from elsewhere.

#include "solve/Requests.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

using Datatypes = RequestTest;
using Lending = RequestTest;
using Indices = RequestTest;

#define MADE "MPI_Datatype y, z; MPI_Datatype of = "
#define ECHO                                                                                                           \
  " MPI_Type_commit(&y); MPI_Send(s.d, 1, y, 0, 5, MPI_COMM_SELF); MPI_Recv(s.d, 1, y, 0, 5, MPI_COMM_SELF, &status);"

TEST_F(Datatypes, OfFloatingNumbersCarryNothing) {
  expectHarmless(MADE "MPI_DOUBLE; MPI_Type_vector(2, 1, 2, of, &y);" ECHO);
  expectHarmless(MADE "t ? MPI_DOUBLE : MPI_FLOAT; MPI_Type_contiguous(2, of, &z); MPI_Type_dup(z, &y);" ECHO);
  expectHarmless(
      "MPI_Datatype kept[2], y; int l[2] = {1, 1}; MPI_Aint at[2]; kept[t != 3] = MPI_C_DOUBLE_COMPLEX;"
      "MPI_Get_address(&s.d[0], &at[0]); MPI_Get_address(&s.d[2], &at[1]);"
      "MPI_Type_create_struct(2, l, at, kept, &y); MPI_Type_commit(&y); MPI_Bcast(MPI_BOTTOM, 1, y, 0, s.comm);");
}

// The request goes out in a message that may hold integers, and comes back.
TEST_F(Datatypes, OfIntegersCarryHandles) {
#define AWAY                                                                                                           \
  " MPI_Type_commit(&y); MPI_Bcast(&r, 1, y, 0, MPI_COMM_SELF); MPI_Bcast(&spare, 4, MPI_BYTE, 0, MPI_COMM_SELF);"
  expectSafe(IRECV MADE "MPI_INT; MPI_Type_contiguous(1, of, &y);" AWAY);
  expectSafe(IRECV MADE "t ? MPI_DOUBLE : MPI_INT; MPI_Type_vector(1, 1, 1, of, &y);" AWAY);
  expectSafe(IRECV MADE "MPI_INT; MPI_Type_contiguous(1, of, &z); MPI_Type_create_resized(z, 0, 4, &y);" AWAY);
  expectSafe(IRECV "MPI_Datatype y, all[2] = {MPI_DOUBLE, MPI_DOUBLE}; int l[2] = {0, 1}; MPI_Aint at[2] = {0, 0};"
                   "all[t - 2] = MPI_INT; MPI_Type_create_struct(2, l, at, all, &y);" AWAY);
  expectSafe(IRECV MADE "MPI_INT; MPI_Type_contiguous(1, of, &z); for (int i = 0; i < (int)sizeof z; ++i)"
                        "((char *)&y)[i] = ((char *)&z)[i];" AWAY);
  expectSafe(IRECV MADE "MPI_DOUBLE; MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 4, &of); MPI_Type_dup(of, &y);" AWAY);
  expectSafe(IRECV MADE "MPI_DOUBLE; MPI_Type_create_f90_integer(9, &y);" AWAY);
  expectSafe(IRECV MADE "MPI_Type_f2c(n[0]); y = of;" AWAY);
  expectSafe(IRECV MADE "MPI_DOUBLE; y = of; MPI_Recv(&y, sizeof y, MPI_BYTE, 0, 8, MPI_COMM_SELF, &status);" AWAY);
}

TEST_F(Datatypes, WithAddresses) {
  expectSafe(IRECV
             "MPI_Datatype y, kept = MPI_INT; int l = 1; MPI_Aint at; MPI_Get_address(&r, &at);"
             "MPI_Type_create_struct(1, &l, &at, &kept, &y); MPI_Type_commit(&y); MPI_Send(MPI_BOTTOM, 1, y, 0, 5,"
             "MPI_COMM_SELF); MPI_Recv(&spare, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &status);");
}

// What a datatype was made from comes back from it: displacements, which any number may be, counts and strides.
TEST_F(Datatypes, TellWhatTheyWereMadeFrom) {
#define CONTENTS                                                                                                       \
  "int i[9]; MPI_Aint a[9]; MPI_Datatype all[9]; MPI_Type_get_contents(y, 9, 9, 9, i, a, all); spare = (MPI_Request)"
  expectSafe(IRECV "MPI_Datatype y, of = MPI_INT; int l = 1; MPI_Aint at = (MPI_Aint)r;"
                   "MPI_Type_create_struct(1, &l, &at, &of, &y);" CONTENTS "a[0];");
  expectSafe(IRECV MADE "MPI_INT; MPI_Type_create_resized(of, 0, (MPI_Aint)r, &y);" CONTENTS "a[1];");
  expectSafe(IRECV MADE "MPI_INT; MPI_Type_create_hvector(2, 1, (MPI_Aint)r, of, &y);" CONTENTS "a[0];");
  expectSafe(IRECV MADE "MPI_INT; MPI_Aint at; MPI_Get_address(&r, &at); MPI_Type_create_hindexed(1, n, &at, of, &y);"
                        "int i[9]; MPI_Aint a[9]; MPI_Datatype all[9]; MPI_Type_get_contents(y, 9, 9, 9, i, a, all);"
                        "spare = *(MPI_Request *)a[0];");
}

// One function for numbers of both kinds, as many libraries have.
TEST_F(Datatypes, CountsBoundMessages) {
  constexpr const char *Share = "static void share(void *p, int n, int whole) {"
                                "MPI_Bcast(p, n, whole ? MPI_INT : MPI_DOUBLE, 0, MPI_COMM_SELF); }";
  constexpr const char *Use = "struct { double limit; MPI_Comm comm; } k = {1, s.comm}; share(&k.limit, 1, 0); "
                              "share(n, 9, 1); int d = n[0] == 1; printf(\"%d\", d);";
  expectHarmless(Use, Share);
  expectSafe(IRECV "struct { int a; MPI_Request r; } k = {1, r}; share(&k.a, 2, 1); share(n, 2, 1); spare = n[1];",
             Share);
  expectSafe(IRECV "struct { int a; MPI_Request r; } k = {1, r}; share(&k.a, t - 1, 1); share(n, 2, 1); spare = n[1];",
             Share);
}

// What is not known of a count is no reason to think that there is none.
TEST_F(Datatypes, CountsOfUnknownOrigin) {
  constexpr const char *Copy =
      "static void copy(void *to, void *from, int n) { memcpy(to, from, n); }\n"
      "static void share(void *p, int n, MPI_Datatype d) { MPI_Bcast(p, n, d, 0, MPI_COMM_SELF); }"
      "static int number(MPI_Group g) { int n; memcpy(&n, &g, 4); return n & 7; }";
#define GROUP "MPI_Group g; MPI_Comm_group(MPI_COMM_WORLD, &g); "
  expectSafe(IRECV GROUP "copy(&spare, &r, number(g));", Copy);
  expectSafe(IRECV GROUP "share(&r, number(g), MPI_BYTE); share(&spare, 4, MPI_BYTE);", Copy);
  expectSafe(IRECV GROUP "MPI_Datatype d; memcpy(&d, &g, 4); share(&r, 1, d); share(&spare, 4, MPI_BYTE);", Copy);
}

constexpr const char *Keep = "void keep(void *);";
#define RECORD(First)                                                                                                  \
  "struct { " First " first; MPI_Request *p; } k = {0, &s.request}; char m[9] = {0}; int c[4] = {1, 1, 1, 1};"
#define LOST "MPI_Bcast(n, 9, MPI_BYTE, 0, MPI_COMM_SELF); keep(n);"

// A datatype that is so many of another, side by side or apart, leads no farther than these.
TEST_F(Datatypes, RepeatedOnesEnd) {
  expectHarmless(MADE "MPI_CHAR; MPI_Type_contiguous(16, of, &y);" ECHO LOST, Keep);
  expectHarmless(
      MADE "MPI_CHAR; MPI_Type_contiguous(8, of, &z); MPI_Type_dup(z, &z); MPI_Type_contiguous(2, z, &y);" ECHO LOST,
      Keep);
  expectHarmless(MADE "MPI_CHAR; MPI_Type_vector(2, 8, 16, of, &y);" ECHO LOST, Keep);
  // One that goes backwards, or is of something that does, or is of nobody knows how many.
#define AFTER                                                                                                          \
  " struct { MPI_Request r; int a[4]; } k = {r, {0}}; MPI_Type_commit(&y); MPI_Bcast(&k.a[0], 1, y, 0, "               \
  "MPI_COMM_SELF);"                                                                                                    \
  "MPI_Bcast(&spare, 4, MPI_BYTE, 0, MPI_COMM_SELF);"
  expectSafe(IRECV MADE "MPI_INT; MPI_Type_vector(2, 1, -1, of, &y);" AFTER);
  expectSafe(IRECV MADE "MPI_INT; MPI_Type_create_resized(of, -4, -4, &z); MPI_Type_contiguous(2, z, &y);" AFTER);
  expectSafe(IRECV MADE "MPI_INT; MPI_Type_vector(2, 1, 0 - b[0], of, &y);" AFTER);
#define BEFORE                                                                                                         \
  " struct { int a[4]; MPI_Request r; } k = {{0}, r}; MPI_Type_commit(&y); MPI_Bcast(k.a, 1, y, 0, MPI_COMM_SELF);"    \
  "MPI_Bcast(&spare, 4, MPI_BYTE, 0, MPI_COMM_SELF);"
  expectSafe(IRECV MADE "MPI_INT; MPI_Type_contiguous(5, of, &y);" BEFORE);
  expectSafe(IRECV MADE "MPI_INT; MPI_Type_contiguous(b[0], of, &y);" BEFORE);
  expectSafe(IRECV MADE "MPI_CHAR; MPI_Type_contiguous(4, of, &z); MPI_Type_contiguous(5, z, &y);" BEFORE);
  expectSafe(IRECV MADE "MPI_INT; MPI_Type_vector(3, 1, 2, of, &y);" BEFORE);
  expectSafe(IRECV MADE "MPI_INT; for (int i = 0; i < t; ++i) { MPI_Type_contiguous(2, of, &y); of = y; }" BEFORE);
}

// Programs send their records as so many integers, to themselves, too.
TEST_F(Datatypes, OfIntegersCarryWhateverIsThere) {
  for (const char *Type : {"MPI_CHAR", "MPI_BYTE", "MPI_SHORT", "MPI_INT", "MPI_UNSIGNED", "MPI_LONG", "MPI_AINT"}) {
    llvm::StringRef Sent = IRECV "MPI_Request *a[2] = {&r, &r}; MPI_Bcast(a, t + b[0], ";
    expectSafe((Sent + Type + ", 0, MPI_COMM_SELF); MPI_Bcast(&q, 8, MPI_BYTE, 0, MPI_COMM_SELF);").str());
    expectSafe((Sent + "MPI_BYTE, 0, MPI_COMM_SELF); MPI_Bcast(&q, 8, " + Type + ", 0, MPI_COMM_SELF);").str());
  }
}

// Zero, which a variable holds before a datatype is put there, is none.
TEST_F(Datatypes, MadeWhenFirstUsed) {
  constexpr const char *Type =
      "void keep(void *);\nstatic MPI_Datatype type(void) { static int made; static MPI_Datatype of; "
      "if (!made++) MPI_Type_contiguous(1, MPI_CHAR, &of); return of; }";
  expectHarmless(RECORD("char") "MPI_Bcast(&k.first, 1, type(), 0, MPI_COMM_SELF);" LOST, Type);
  constexpr const char *Longer = "static MPI_Datatype type(void) { static int made; static MPI_Datatype of; "
                                 "if (!made++) MPI_Type_contiguous(16, MPI_CHAR, &of); return of; }";
#define FIRST "struct { int first; MPI_Request r; } k = {0, r}; "
#define OUT " MPI_Bcast(&spare, 4, MPI_BYTE, 0, MPI_COMM_SELF);"
  expectSafe(IRECV FIRST "MPI_Bcast(&k.first, 1, type(), 0, MPI_COMM_SELF);" OUT, Longer);
  // Another number may be one of a library's, and one that nobody knows any.
  expectSafe(IRECV FIRST "MPI_Bcast(&k.first, 1, (MPI_Datatype)64, 0, MPI_COMM_SELF);" OUT);
  expectSafe(IRECV FIRST "MPI_Datatype of = 0; if (t != 3) of = (MPI_Datatype)(long)b[0];"
                         "MPI_Bcast(&k.first, 1, of, 0, MPI_COMM_SELF);" OUT);
}

// What is received is sent only where it stands in the place of what is sent otherwise.
TEST_F(Datatypes, InPlace) {
  expectHarmless(RECORD("char") "MPI_Allreduce(m, &k.first, b[0], MPI_CHAR, MPI_MAX, MPI_COMM_SELF);" LOST, Keep);
  expectHarmless(RECORD("char") "MPI_Reduce_scatter(m, &k.first, c, MPI_CHAR, MPI_MAX, MPI_COMM_SELF);" LOST, Keep);
#define INTO(From) " MPI_Reduce(" From ", &k.first, b[0], MPI_CHAR, MPI_MAX, 0, MPI_COMM_SELF);"
#define KEPT                                                                                                           \
  "struct { char first; MPI_Request *p; } k = {0, &r}; char m[9] = {0}; static void *at; at = b[1] ? m : "             \
  "MPI_IN_PLACE;"
#define BACK "MPI_Reduce(m, &q, 8, MPI_BYTE, MPI_MAX, 0, MPI_COMM_SELF);"
  expectSafe(IRECV KEPT INTO("MPI_IN_PLACE") BACK);
  expectSafe(IRECV KEPT INTO("b[0] ? m : MPI_IN_PLACE") BACK);
  expectSafe(IRECV KEPT INTO("at") BACK);
  expectSafe(IRECV KEPT "long l; memcpy(&l, &at, 8);" INTO("(void *)l") BACK);
  expectSafe(IRECV KEPT INTO("(void *)(long)(b[2] - 1)") BACK);
}

// Of what an argument says how much each rank gets of it.
TEST_F(Datatypes, CountsOfEachRank) {
  expectHarmless("struct { char first[4]; MPI_Comm comm; } k = {{0}, s.comm}; int c[2] = {4, 1}; char m[9] = {0};"
                 "MPI_Reduce_scatter(m, k.first, c, MPI_CHAR, MPI_MAX, MPI_COMM_SELF);"
                 "MPI_Send(n, 1, MPI_INT, 0, 8, k.comm);");
  expectSafe(IRECV "struct { char first[4]; MPI_Request r; } k = {{0}, spare}; int c[2] = {1, 8}; c[0] = 8;"
                   "MPI_Bcast(&r, 4, MPI_BYTE, 0, MPI_COMM_SELF);"
                   "MPI_Reduce_scatter(n, k.first, c, MPI_CHAR, MPI_MAX, MPI_COMM_SELF); spare = k.r;");
  expectSafe(IRECV "struct { char first[4]; MPI_Request r; } k = {{0}, spare};"
                   "MPI_Bcast(&r, 4, MPI_BYTE, 0, MPI_COMM_SELF);"
                   "MPI_Reduce_scatter_block(n, k.first, t + 5, MPI_CHAR, MPI_MAX, MPI_COMM_SELF); spare = k.r;");
}

// Arrays of counts and of addresses are read: what stands beside them does not leave sight, and nothing that did, as
// text, comes back by them.
TEST_F(Datatypes, ArraysOfArgumentsAreRead) {
  expectHarmless("struct { int c[2]; MPI_Request *p; } k = {{1, 1}, &s.request}; char m[9] = {0};"
                 "MPI_Reduce_scatter(m, n, k.c, MPI_CHAR, MPI_MAX, MPI_COMM_SELF);");
#define BESIDE                                                                                                         \
  "MPI_DOUBLE; struct { MPI_Aint at[1]; MPI_Request *p; } k = {{0}, &s.request}; int l = 1; printf(\"%p\", (void "     \
  "*)&s);"
  expectHarmless(MADE BESIDE "MPI_Type_create_struct(1, &l, k.at, &of, &y);" ECHO);
  expectHarmless(MADE BESIDE "MPI_Type_create_hindexed(1, &l, k.at, of, &y);" ECHO);
}

// What one collective sends no other receives, nor does a receive.
TEST_F(Datatypes, OneKindOfMessageIsNotReceivedByAnother) {
#define ALL "MPI_Bcast(&k, sizeof k, MPI_BYTE, 0, MPI_COMM_SELF); "
  expectHarmless(RECORD("char") ALL "MPI_Allgather(m, 1, MPI_CHAR, n, 1, MPI_CHAR, MPI_COMM_SELF); keep(n);", Keep);
  expectHarmless(RECORD("char") ALL "MPI_Allreduce(m, n, 9, MPI_CHAR, MPI_MAX, MPI_COMM_SELF); keep(n);", Keep);
  expectHarmless(RECORD("char") ALL "MPI_Send(m, 9, MPI_BYTE, 0, 5, MPI_COMM_SELF);"
                                    "MPI_Recv(n, 9, MPI_BYTE, 0, 5, MPI_COMM_SELF, &status); keep(n);",
                 Keep);
#define AT " MPI_Request *at = &r;"
  for (const char *Way :
       {"PMPI_Bcast(&at, 8, MPI_BYTE, 0, MPI_COMM_SELF); MPI_Bcast(&q, 8, MPI_BYTE, 0, MPI_COMM_SELF);",
        "MPI_Gather(&at, 8, MPI_BYTE, &q, 8, MPI_BYTE, 0, MPI_COMM_SELF);",
        "MPI_Ialltoall(&at, 8, MPI_BYTE, &q, 8, MPI_BYTE, MPI_COMM_SELF, &other);",
        "MPI_Send(&at, 8, MPI_BYTE, 0, 5, MPI_COMM_SELF);"
        "MPI_Sendrecv(n, 9, MPI_INT, 0, 5, &q, 8, MPI_BYTE, 0, 5, MPI_COMM_SELF, &status);"})
    expectSafe((IRECV AT + llvm::Twine(Way)).str());
}

// Addresses in a datatype do not tell of which kind the message is.
TEST_F(Datatypes, AddressesAreForAllKindsOfMessages) {
#define BY(Address)                                                                                                    \
  "MPI_Datatype y, kept = MPI_INT; int l = 1; MPI_Aint at; MPI_Get_address(" Address ", &at);"                         \
  "MPI_Type_create_struct(1, &l, &at, &kept, &y); MPI_Type_commit(&y);"
  expectSafe(IRECV BY("&r") "MPI_Bcast(MPI_BOTTOM, 1, y, 0, s); MPI_Bcast(&spare, 1, MPI_INT, 0, s);",
             "static MPI_Comm s = MPI_COMM_SELF;");
  expectSafe(IRECV BY("&spare") "MPI_Bcast(&r, 1, MPI_INT, 0, s); MPI_Bcast(MPI_BOTTOM, 1, y, 0, s);",
             "static MPI_Comm s = MPI_COMM_SELF;");
}

// An operation of the program's is for all reductions, and may compute what comes of them.
TEST_F(Datatypes, OperationsAreForAllReductions) {
  constexpr const char *Before = "static MPI_Request *got, *put; static void op(void *in, void *out, int *n, "
                                 "MPI_Datatype *d) { got = *(MPI_Request **)in; *(MPI_Request **)out = put; }";
#define OPERATE "MPI_Request *at = &r; MPI_Op o; MPI_Op_create(op, 1, &o);"
  for (const char *Call :
       {"MPI_Allreduce(&at, &l, 1, MPI_LONG, o, MPI_COMM_SELF);", "MPI_Scan(&at, &l, 1, MPI_LONG, o, MPI_COMM_SELF);",
        "MPI_Reduce_local(&at, &l, 1, MPI_LONG, o);"}) {
    expectSafe((IRECV OPERATE "long l = 0;" + llvm::Twine(Call) + "q = got;").str(), Before);
    expectSafe((IRECV OPERATE "long l = 0; put = at; at = 0;" + llvm::Twine(Call) + "memcpy(&q, &l, 8);").str(),
               Before);
  }
}

TEST_F(Lending, WhatStandsBeforeThemIsNotLent) {
  expectHarmless("scale(4, s.d); memcpy(s.d, s.d + 1, 8);", "void scale(int n, double *x);");
}

TEST_F(Lending, NumbersComeBackAsNumbers) {
  constexpr const char *Largest = "int largest(int n, const double *x); void scale(int n, double *x);";
  // What comes of it is no address, and no handle.
  expectHarmless("MPI_Comm all[4] = {s.comm, s.comm, s.comm, s.comm}; scale(4, s.d); int at[2] = {0};"
                 "memcpy(at, s.d, 8); all[at[0]] = s.comm; s.comm = all[largest(4, s.d) & 3];",
                 Largest);
}

TEST_F(Lending, WhatIsStoredThereEscapes) {
  constexpr const char *Scale = "void scale(int n, double *x); double *same(double *x); void keep(void *);";
  expectSafe(IRECV "double d[2]; memcpy(d, &r, 4); scale(2, d); spare = *(MPI_Request *)same(0);", Scale);
  expectSafe(IRECV "double d[2]; scale(2, d); *(MPI_Request *)same(d) = r; memcpy(&spare, d, 4);", Scale);
  expectSafe(IRECV "double d[2]; scale(2, d); keep(d); memcpy(&spare, d, 4); keep(&r);", Scale);
  expectSafe(IRECV "double d[2]; MPI_Request *a = &r; memcpy(d, &a, 8); scale(2, d);", Scale);
}

TEST_F(Lending, OnlyByThePrototype) {
  expectSafe(IRECV "double d[2]; scale(2, d); memcpy(&spare, d, 4); keep(&r);", "void scale(); void keep(void *);");
  expectSafe(IRECV "double *d[2]; scale(2, d); spare = *(MPI_Request *)d[1]; keep(&r);",
             "void scale(int, double **); void keep(void *);");
  expectSafe(IRECV "struct two d; scale(&d); spare = d.i; keep(&r);",
             "struct two { double d; int i; }; void scale(struct two *); void keep(void *);");
}

TEST_F(Indices, FromElsewhereStayInTheArray) {
  expectHarmless("MPI_Comm all[4] = {s.comm, s.comm, s.comm, s.comm}; int at = where(); all[at] = s.comm;"
                 "s.comm = all[at + 1];",
                 "int where(void);");
}

// By a pointer, too, as far as a loop goes that ends after a known number of turns; and not a step less.
TEST_F(Indices, OfLoopsThatEnd) {
  constexpr const char *Take = "int take(int);";
#define INTS "struct { int at[3]; MPI_Comm comm; } k = {{0}, s.comm}; int *p = k.at; "
  for (const char *Loop :
       {"for (int i = 0; i < 3; ++i) take(p[i]);", "for (int i = 2; i >= 0; --i) take(p[i]);",
        "int i = 0; do take(p[i]); while (++i < 3);", "for (int i = 0; i < 3; i += 2) take(p[i]);",
        "for (int j = 0; j < t; ++j) for (int i = 0; i < 3; ++i) if (take(p[i])) break;", "take(p[t & 1]);"})
    expectHarmless((llvm::StringRef(INTS) + Loop + " s.comm = k.comm;").str(), Take);
#define BEHIND "struct { int at[3]; MPI_Request r; } k = {{0}, r}; int *p = k.at; int i = 0; "
  for (const char *Loop :
       {"for (; i < 4; ++i) take(p[i]);", "for (i = 3; i >= 0; --i) take(p[i]);", "do take(p[i]); while (++i <= 3);",
        "for (; i < 4; i += 3) take(p[i]);", "for (; take(p[i]), i < 3; ++i);", "for (; i < 3; ++i); take(p[i]);",
        "for (; i < 3; ++i) if (take(p[i + 1])) break;", "while (i < 3) { ++i; take(p[i]); }",
        "for (; i < 2; ++i) for (int j = 0; j < 3; ++j) take(p[i + j]);", "take(p[t & 3]);", "take(p[t]);",
        "for (int n = t; i < n + 1; ++i) take(p[i]);", "for (; i < 3; ++i) { if (t) ++i; take(p[i]); }",
        "for (p += 1; i < 3; ++i) take(p[i]);", "for (p += 4; i < 3; ++i) take(p[i - 3]);"})
    expectSafe((llvm::StringRef(IRECV BEHIND) + Loop).str(), Take);
}

TEST_F(Indices, MayBeHandles) {
  constexpr const char *Keep = "void keep(MPI_Request *); int kept(void);";
  expectSafe(IRECV "keep(&r); spare = kept();", Keep);
  expectSafe(IRECV "keep(&r); long wide = kept(); spare = (MPI_Request)wide;", Keep);
  expectSafe(IRECV "keep(&r); void *wide = (void *)(long)kept(); spare = (MPI_Request)(long)wide;", Keep);
  expectSafe(IRECV "keep(&r); long wide = (long)kept() | 1L << 40; memcpy(&spare, &wide, 4);", Keep);
  expectSafe(IRECV "keep(&r); long wide = kept() + (long)(t - 3); spare = (MPI_Request)wide;", Keep);
}

TEST_F(Indices, MayBeHalvesOfAddresses) {
  expectSafe(IRECV "unsigned *p, h[2]; MPI_Request *a = &r; memcpy(h, &a, 8); keep(h); a = (MPI_Request *)"
                   "((unsigned long)kept(1) << 32 | kept(0)); spare = *a;",
             "void keep(unsigned *); unsigned kept(int);");
}

TEST_F(Indices, OfAlignedMemory) {
  expectHarmless("void *m = malloc(99); int a = where(); double *p = (double *)(((unsigned long)m + a - 1) / a * a);"
                 "p[0] = 1; free(m);",
                 "#include <stdlib.h>\nint where(void);");
}

// A source that is computed is no MPI_ANY_SOURCE; one that is written is, whatever else it may be.
TEST_F(Indices, Wildcards) {
  auto IsWild = [&](llvm::StringRef Source) {
    classesOf("a.c", ("int main(int argc, char **argv) { int b, from = 0, own; MPI_Comm_rank(MPI_COMM_WORLD, &own);"
                      "if (argc > 3) from = own; MPI_Recv(&b, 1, MPI_INT, " +
                      Source + ", 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); return from; }")
                         .str());
    ir::ValueClasses Found = ir::findClasses({&Units[0]}, {});
    return Found.Classes.at(0).Members.at(0).Wildcard;
  };
  EXPECT_FALSE(IsWild("from - 2"));
  EXPECT_FALSE(IsWild("from"));
  EXPECT_TRUE(IsWild("MPI_ANY_SOURCE"));
  EXPECT_TRUE(IsWild("(from = argc > 4 ? MPI_ANY_SOURCE : from)"));
  EXPECT_TRUE(IsWild("(int)(long)(argc > 4 ? MPI_ANY_SOURCE : own)"));
  EXPECT_TRUE(IsWild("((struct { int n; }){MPI_ANY_SOURCE}).n"));
}

} // namespace
