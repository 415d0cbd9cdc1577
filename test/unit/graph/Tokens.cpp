// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where addresses in an object lead when something is added to them; and programs in which requests stand in arrays of
// records, beside numbers that go to a library or are sent.

#include "graph/Tokens.h"
#include "constraints/Constraints.h"
#include "solve/Fixture.h"

using namespace mpishm::ir;

namespace {

Region array(int64_t Low, int64_t Stride, int64_t Count) {
  return normalised({Low, Stride, Low, Low + (Count - 1) * Stride + 1});
}

TEST(Moved, AnArrayInEachOfManyRecords) {
  Region Records = normalised({0, 52});
  llvm::SmallVector<Region, 1> To = moved(moved(Records, 20, 0, 0).front(), 0, 4, 4);
  ASSERT_EQ(To.size(), 2U); // not all that is a multiple of 4
  EXPECT_EQ(To[0], normalised({20, 52}));
  EXPECT_EQ(To[1], normalised({24, 52}));
  To = moved(array(100, 24, 3), 8, 4, 4);
  ASSERT_EQ(To.size(), 2U);
  EXPECT_EQ(To[0], array(108, 24, 3));
  EXPECT_EQ(To[1], array(112, 24, 3));
  EXPECT_EQ(moved(Records, 0, 1, 39), (llvm::SmallVector<Region, 1>{normalised({0, 1})}));
}

TEST(Moved, AnyNumberOfElementsOnStaysInTheArray) {
  EXPECT_EQ(moved(array(8, 4, 3), 0, 4, Unknown).front(), array(8, 4, 3));
  EXPECT_EQ(moved(array(8, 8, 3), 4, 8, Unknown).front(), array(12, 8, 3));
  // Not so by other elements, nor from an address that is known to be in no array.
  EXPECT_EQ(moved(array(8, 8, 3), 0, 4, Unknown).front(), normalised({0, 4}));
  EXPECT_EQ(moved({8, 0}, 0, 4, Unknown).front(), normalised({0, 4}));
}

TEST(Moved, DownFromBehindTheLastElement) {
  // &a[n] with n = 3 is an address, too.
  EXPECT_EQ(moved(array(8, 4, 3), -4, 0, 0).front(), normalised({8, 4, 4, 17}));
  EXPECT_EQ(moved(array(8, 4, 3), -2, 0, 0).front(), normalised({2, 4, 6, 19}));
  EXPECT_EQ(moved(array(8, 4, 3), 4, 0, 0).front(), normalised({8, 4, 8, 21}));
}

TEST(Moved, AnArrayOfARecord) {
  const Part Field{8, 20, 32, 4}, Last{20, 32, 32, 4}, Inner{16, 48, 64, 0};
  Region To = movedToPart({100, 0}, 8, Field).front();
  EXPECT_EQ(To, (Region{108, 0, 108, 117, 4}));
  EXPECT_EQ(moved(To, 0, 4, Unknown).front(), array(108, 4, 3));
  EXPECT_EQ(moved(To, 4, 0, 0).front(), (Region{112, 0, 108, 117, 4}));
  // Behind it, and by what is not one of its elements, it is an address like any other.
  EXPECT_EQ(moved(To, 12, 0, 0).front(), (Region{120, 0}));
  EXPECT_EQ(moved(To, 2, 0, 0).front(), (Region{110, 0}));
  EXPECT_EQ(moved(To, 0, 8, Unknown).front(), normalised({108, 8}));
  // Where the record ends with it there may be another, but not if it is a part of a greater one.
  To = movedToPart({100, 0}, 20, Last).front();
  EXPECT_EQ(moved(To, 0, 4, Unknown).front(), normalised({120, 4, 120, Highest - 1}));
  Region Part = movedToPart({100, 0}, 16, Inner).front();
  EXPECT_EQ(Part, (Region{116, 0, 116, 148, 0}));
  To = movedToPart(Part, 20, Last).front();
  EXPECT_EQ(moved(To, 0, 4, Unknown).front(), array(136, 4, 3));
  EXPECT_EQ(moved(Part, 0, 32, Unknown).front(), normalised({116, 32}));
  // Before the record there may be another, too; that tells nothing of what is behind.
  To = movedToPart({100, 0}, 4, {0, 12, 32, 4}).front();
  EXPECT_EQ(moved(To, 0, 4, Unknown).front(), normalised({104, 4, Lowest + 1, 109}));
  EXPECT_EQ(moved(moved(To, 0, 4, Unknown).front(), -8, 0, 0).front(), normalised({96, 4, Lowest + 1, 109}));
  To = movedToPart({100, 0}, 4, {0, 32, 32, 4}).front();
  EXPECT_EQ(moved(To, 0, 4, Unknown).front(), normalised({104, 4}));
  // A record that is longer than the part is not the part, but another that begins there.
  To = movedToPart(Part, 20, {20, 64, 64, 4}).front();
  EXPECT_EQ(moved(To, 0, 4, Unknown).front(), normalised({136, 4, 136, Highest - 1}));
}

class Records : public mpishm::test::ProgramTest {
protected:
  /// Of a program whose main has the statements \p Main, behind `struct s` with \p Fields.
  std::string with(llvm::StringRef Fields, llvm::StringRef Main) {
    return classesOf("a.c",
                     ("#include <stddef.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nvoid "
                      "see(int, ...);\nstruct s { " +
                      Fields + " };\nint out[9];\nint main(int argc, char **argv) {\n" + Main + "\nreturn 0; }\n")
                         .str());
  }
};

#define ISEND(request) "MPI_Isend(out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, " request ");"
#define WAIT_FOR(request) "MPI_Wait(" request ", MPI_STATUS_IGNORE);"
#define ALLOCATE "struct s *p = malloc(argc * sizeof *p);"

TEST_F(Records, RequestsInRecordsOfAnArrayAreNotTheNumbersBesideThem) {
  const char *Fields = "int before, after[2]; MPI_Request r[2]; int number;";
  for (const char *Main :
       {ALLOCATE ISEND("&p[argc].r[argc - 1]") WAIT_FOR("&p[argc].r[argc - 1]") "see(p[argc].number);",
        ALLOCATE ISEND("&p[argc].r[argc - 1]") WAIT_FOR("&p[argc].r[argc - 1]") "see(p[argc].after[argc]);"}) {
    std::string Dump = with(Fields, Main);
    EXPECT_TRUE(has(Dump, "class 0 closed")) << Dump;
  }
  for (const char *Main :
       {ALLOCATE ISEND("&p[argc].r[argc - 1]") WAIT_FOR("&p[argc].r[argc - 1]") "see((int)p[1].r[1]);",
        ALLOCATE ISEND("&p[argc].r[argc - 1]") WAIT_FOR("&p[argc].r[argc - 1]") "see(*((int *)&p[argc] + 4));",
        ALLOCATE ISEND("(MPI_Request *)p + argc") WAIT_FOR("(MPI_Request *)p + argc") "see(p[argc].number);"}) {
    std::string Dump = with(Fields, Main);
    EXPECT_TRUE(has(Dump, "is handed to 'see'")) << Dump;
  }
}

TEST_F(Records, AnArrayThatIsIndexedIsLeftByNoIndex) {
  const char *Fields = "int before[2]; MPI_Request r[3]; int number;";
  std::string Dump = with(Fields, ALLOCATE "MPI_Request *q = p->r + argc; " ISEND("&q[argc]")
                                      WAIT_FOR("&q[-argc]") "see(p->number, p->before[1]);");
  EXPECT_TRUE(has(Dump, "class 0 closed")) << Dump;
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait")) << Dump;
  Dump = with(Fields, ALLOCATE "MPI_Request *q = &p->r[argc]; " ISEND("&q[argc]")
                          WAIT_FOR("&p->r[0]") "see(((int *)p)[argc]);");
  EXPECT_TRUE(has(Dump, "is handed to 'see'")) << Dump;
  // Behind the last one, and back.
  Dump = with(Fields, ALLOCATE "MPI_Request *q = &p->r[argc]; " ISEND("&p->r[2]") WAIT_FOR("q - 1"));
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait")) << Dump;
  // By a pointer that is made of the array's own, some programs go on into the next.
  Dump = with("MPI_Request r[3], s[3];",
              ALLOCATE "MPI_Request *q = p->r; for (int i = 0; i < 6; i++) {" ISEND("&p->s[argc]") WAIT_FOR("q++") "}");
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait")) << Dump;
}

#define SHOW "for (int i = 0; i < argc; i++) see(shown[i]);"
#define ONE "struct s *p = malloc(sizeof *p);" ISEND("&p->r") WAIT_FOR("&p->r")

// By a pointer to an array of a record, too, nobody gets to what is of another type than its elements.
TEST_F(Records, APointerToAnArrayLeadsToItsLikeOnly) {
  const char *Sub =
      "double d; struct { int n, sizes[3]; } sub; double e; MPI_Request r; double f; int last[2]; short g;";
  for (const char *Main : {"int *shown = p->sub.sizes;", "int *shown = &p->sub.sizes[1];", "int *shown = p->last;"}) {
    std::string Dump = with(Sub, std::string(ONE) + Main + SHOW);
    EXPECT_TRUE(has(Dump, "class 0 closed")) << Main << Dump;
  }
  // Also where nothing but its like is before it in the record.
  for (const char *Main : {"int *shown = p->sizes;", "int *shown = &p->sizes[2];", "int *shown = &p->sizes[2] - 1;"}) {
    std::string Dump = with("int n, sizes[3]; double e; MPI_Request r; int m;", std::string(ONE) + Main + SHOW);
    EXPECT_TRUE(has(Dump, "class 0 closed")) << Main << Dump;
  }
  for (const char *Main : {
           "int *shown = (int *)((char *)p->sub.sizes - offsetof(struct s, sub.sizes));",
           "int *shown = (int *)((struct s *)((char *)p->last - offsetof(struct s, last)));",
           "int *shown = (int *)&p->sub;",
           "int shown[9]; memcpy(shown, p->sub.sizes, 36);",
           "struct other { int n, sizes[3], more[9]; } *o = (struct other *)&p->sub; int *shown = o->sizes;",
       }) {
    std::string Dump = with(Sub, std::string(ONE) + Main + SHOW);
    EXPECT_TRUE(has(Dump, "is handed to 'see'")) << Main << Dump;
  }
  for (const char *Copy : {
           "MPI_Request c[9]; for (int i = 0; i < 36; i++) ((char *)c)[i] = ((char *)p->sub.sizes)[i];",
           "MPI_Request c[9]; for (int i = 0; i < argc; i++) ((short *)c)[i] = ((short *)p->sub.sizes)[i];",
           "MPI_Request c[9]; memmove(c, p->sub.sizes, 36);",
       }) {
    std::string Dump = with(Sub, std::string(ONE) + Copy + "\n" WAIT_FOR("&c[5]"));
    EXPECT_TRUE(!has(Dump, "closed") || has(Dump, "MPI_Wait:10")) << Copy << Dump;
  }
}

// What goes on in the same type may be walked, as the arrays of several records that have nothing else.
TEST_F(Records, APointerToAnArrayGoesOn) {
  for (const char *Fields :
       {"double d; int n[2]; MPI_Request r; double e;", "int n[2]; struct { MPI_Request q, r; } in;",
        "int n[2]; union { MPI_Request r; char *c; };", "short g; int n[2], m[2]; MPI_Request r;",
        "MPI_Request r; int n[2];"}) {
    bool IsIn = llvm::StringRef(Fields).contains(" in;");
    std::string Dump = with(
        Fields, std::string(IsIn ? "struct s *p = malloc(sizeof *p);" ISEND("&p->in.r") WAIT_FOR("&p->in.r") : ONE) +
                    "int *shown = p->n;" SHOW);
    EXPECT_TRUE(has(Dump, "is handed to 'see'")) << Fields << Dump;
  }
  std::string Dump =
      with("MPI_Request r[3];",
           ALLOCATE "MPI_Request *q = p->r; for (int i = 0; i < 6; i++) {" ISEND("&p[1].r[argc]") WAIT_FOR("q++") "}");
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait")) << Dump;
  Dump = with("double d; MPI_Request r[2];",
              "struct s *p = malloc(99); MPI_Request *q = p->r; for (int i = 0; i < 6; i++) {" ISEND(
                  "(MPI_Request *)(p + 1) + argc") WAIT_FOR("q++") "}");
  EXPECT_TRUE(has(Dump, "completed by MPI_Wait")) << Dump;
}

// A class may have more members than an object has cells of many places.
TEST_F(Records, MembersOfALargeRecordAreApart) {
  std::string Fields, Main = ALLOCATE;
  for (int I = 0; I < 500; ++I) {
    Fields += "int m" + std::to_string(I) + ";";
    Main += "p->m" + std::to_string(I) + " = argc;";
  }
  Fields += "MPI_Request r; int last;";
  Main += "p->last = argc;" ISEND("&p->r") WAIT_FOR("&p->r");
  std::string Dump = with(Fields.c_str(), Main + "see(p->last, p->m499);");
  EXPECT_TRUE(has(Dump, "class 0 closed") && has(Dump, "completed by MPI_Wait")) << Dump;
  Dump = with(Fields.c_str(), Main + "see(p->last, ((int *)p)[argc]);");
  EXPECT_TRUE(has(Dump, "is handed to 'see'")) << Dump;
}

// MPI writes no more numbers than it is told that there is room for: a request that was printed may be any of them.
TEST_F(Records, MpiWritesAsManyNumbersAsThereIsRoomFor) {
  auto Of = [&](llvm::StringRef Fields, llvm::StringRef Call) {
    return with(Fields, (ALLOCATE "MPI_Request q; MPI_Irecv(out, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &q);\n"
                                  "printf(\"%d\", q); MPI_Wait(&q, MPI_STATUS_IGNORE);" ISEND("&p->r") +
                         Call + "\n" WAIT_FOR("&p->r"))
                            .str());
  };
  const char *Fields = "int sizes[2], places[2]; MPI_Request r; int other;";
  for (const char *Call : {"MPI_Dims_create(4, 2, p->places);", "MPI_Cart_coords(MPI_COMM_WORLD, 0, 2, p->places);",
                           "MPI_Cart_get(MPI_COMM_WORLD, 2, p->sizes, p->sizes, p->places);",
                           "MPI_Graph_neighbors(MPI_COMM_WORLD, 0, 2, p->places);",
                           "MPI_Graph_get(MPI_COMM_WORLD, 4, 2, p->sizes, out);"}) {
    std::string Dump = Of(Fields, Call);
    EXPECT_TRUE(has(Dump, "closed") && !has(Dump, "MPI_Wait:11 completed by MPI_Wait:12")) << Call << Dump;
  }
  // As many as nobody knows go no farther than their like.
  std::string Dump =
      Of("int sizes[2], places[2]; double d; MPI_Request r;", "MPI_Cart_coords(MPI_COMM_WORLD, 0, argc, p->places);");
  EXPECT_TRUE(has(Dump, "closed") && !has(Dump, "MPI_Wait:11 completed by MPI_Wait:12")) << Dump;
  for (const char *Call :
       {"MPI_Cart_coords(MPI_COMM_WORLD, 0, 3, p->places);", "MPI_Cart_coords(MPI_COMM_WORLD, 0, argc, p->places);",
        "MPI_Cart_get(MPI_COMM_WORLD, 5, p->sizes, out, out);"}) {
    Dump = Of(Fields, Call);
    EXPECT_TRUE(!has(Dump, "closed") || has(Dump, "MPI_Wait:11 completed by MPI_Wait:12")) << Call << Dump;
  }
}

TEST_F(Records, CollectivesSendAndReceiveSoManyElements) {
  const char *Fields = "int number; MPI_Request r; int other;";
  const char *Begin =
      ALLOCATE "p->number = argc;" ISEND("&p->r") WAIT_FOR("(MPI_Request *)p + argc") "int got[2], all[6];";
  for (const char *Main : {"MPI_Bcast(&p->number, 1, MPI_INT, 0, MPI_COMM_WORLD);",
                           "MPI_Allreduce(&p->number, got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);",
                           "MPI_Allreduce(got, &p->number, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);",
                           "MPI_Gather(&p->number, 1, MPI_INT, got, 1, MPI_INT, 0, MPI_COMM_WORLD);",
                           "MPI_Scatter(got, 1, MPI_INT, &p->number, 1, MPI_INT, 0, MPI_COMM_WORLD);"}) {
    std::string Dump = with(Fields, Begin + std::string(Main) +
                                        "MPI_Bcast(got, 2, MPI_INT, 0, MPI_COMM_WORLD);"
                                        "see(got[0], p->number);");
    EXPECT_TRUE(has(Dump, "class 0 closed")) << Main << "\n" << Dump;
  }
  for (const char *Main : {"MPI_Bcast(&p->number, 2, MPI_INT, 0, MPI_COMM_WORLD);",
                           "MPI_Bcast(&p->number, argc, MPI_INT, 0, MPI_COMM_WORLD);",
                           "MPI_Bcast(p, sizeof *p, MPI_BYTE, 0, MPI_COMM_WORLD);",
                           "MPI_Allreduce(&p->number, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);",
                           "MPI_Alltoall(&p->number, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);",
                           "MPI_Scatter(&p->number, 1, MPI_INT, got, 1, MPI_INT, 0, MPI_COMM_WORLD);"}) {
    std::string Dump = with(Fields, Begin + std::string(Main) +
                                        "MPI_Bcast(got, 2, MPI_INT, 0, MPI_COMM_WORLD);"
                                        "see(got[0], all[0]);");
    EXPECT_TRUE(has(Dump, "is handed to 'see'")) << Main << "\n" << Dump;
  }
}

} // namespace
