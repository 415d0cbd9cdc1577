// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions of MPI that neither send nor receive do with memory, and keep nothing of: collective operations,
// files, windows, attributes.

#include "solve/Requests.h"

using namespace mpishm;
using namespace mpishm::test;

namespace {

using MpiMemory = RequestTest;

TEST_F(MpiMemory, CollectivesKeepNothing) {
  expectHarmless(
      "MPI_Igatherv(s.d, 4, MPI_DOUBLE, s.d, n, n, MPI_DOUBLE, 0, s.comm, &other); MPI_Wait(&other, &status);");
  expectHarmless("MPI_Ialltoallw(b, n, n, &t, b, n, n, &t, s.comm, &other); MPI_Wait(&other, &status);");
  expectHarmless("MPI_Neighbor_alltoallv(b, n, n, MPI_INT, b, n, n, MPI_INT, s.comm);");
  expectHarmless("MPI_Allreduce_init(s.d, s.d, 4, MPI_DOUBLE, MPI_SUM, s.comm, info, &other); MPI_Start(&other);"
                 "MPI_Wait(&other, &status);");
}

TEST_F(MpiMemory, CountsOfInts) {
  expectHarmless("struct { MPI_Comm comm; int n[2]; MPI_Comm more; } g = {s.comm, {1}, s.comm}; int d = g.comm == 0;"
                 "MPI_Bcast(g.n, 2, MPI_INT, 0, s.comm); printf(\"%d\", d); s.comm = g.comm;");
}

TEST_F(MpiMemory, FilesKeepNothing) {
  expectHarmless("MPI_File_open(s.comm, \"x\", MPI_MODE_RDWR, info, &f); MPI_File_set_view(f, 0, MPI_INT, MPI_INT,"
                 "\"native\", info); MPI_File_read_at_all(f, 8, s.d, 4, MPI_DOUBLE, &status);"
                 "MPI_File_write(f, s.d, 4, MPI_DOUBLE, &status); MPI_File_iwrite(f, b, 4, MPI_INT, &other);"
                 "MPI_Wait(&other, &status); MPI_File_close(&f);");
}

TEST_F(MpiMemory, FilesGiveBack) {
  expectSafe(IRECV "MPI_File_write(f, &r, 1, MPI_INT, &status); MPI_File_read_at(f, 0, &spare, 1, MPI_INT, &status);");
  expectSafe(IRECV "MPI_File_iwrite_at(f, 0, &r, 1, MPI_INT, &other); MPI_Wait(&other, &status);"
                   "MPI_File_read_all_begin(f, &spare, 1, MPI_INT); MPI_File_read_all_end(f, &spare, &status);");
  expectSafe(IRECV "FILE *o = fopen(\"x\", \"w\"); fwrite(&r, sizeof r, 1, o); fclose(o);"
                   "MPI_File_read_shared(f, &spare, 4, MPI_BYTE, &status);");
}

TEST_F(MpiMemory, WhatIsInPlaceIsSent) {
  expectSafe(IRECV "b[1] = r; MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, b, 1, MPI_INT, MPI_COMM_SELF);"
                   "MPI_Recv(&spare, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &status);");
}

TEST_F(MpiMemory, TypesThatReachBackInCollectives) {
  std::string Dump = classes("struct { int t; long n; } s = {3, 1}; MPI_Datatype y; size = -8; int l = 1;"
                             "MPI_Type_create_hindexed(1, &l, &size, MPI_INT, &y); MPI_Type_commit(&y);"
                             "MPI_Reduce(&s.n, &s.n, 1, y, MPI_SUM, 0, MPI_COMM_SELF);"
                             "MPI_Send(b, 1, MPI_INT, 0, s.t, MPI_COMM_WORLD);"
                             "MPI_Recv(b, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);");
  EXPECT_TRUE(has(classWith(Dump, "MPI_Send"), "MPI_Recv")) << Dump;
}

TEST_F(MpiMemory, WindowsKeepNothing) {
  expectHarmless("MPI_Win_create(s.d, 32, 8, info, s.comm, &win); MPI_Win_fence(0, win);"
                 "MPI_Put(b, 1, MPI_INT, 0, 0, 1, MPI_INT, win); MPI_Win_fence(0, win); MPI_Win_free(&win);");
  expectHarmless(
      "double *m; MPI_Win_allocate(64, 8, info, s.comm, &m, &win); m[1] = 1; MPI_Win_lock_all(0, win);"
      "MPI_Rput(m, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, win, &other); MPI_Wait(&other, &status);"
      "MPI_Fetch_and_op(b, n, MPI_INT, 0, 0, MPI_SUM, win); MPI_Win_flush(0, win); MPI_Win_unlock_all(win);");
}

TEST_F(MpiMemory, WindowsGiveBack) {
  expectSafe(IRECV
             "MPI_Win_create(n, 36, 4, info, MPI_COMM_SELF, &win); MPI_Put(&r, 1, MPI_INT, 0, 2, 1, MPI_INT, win);"
             "q = (MPI_Request *)&n[2];");
  expectSafe(IRECV "MPI_Win_create(&r, 4, 4, info, MPI_COMM_SELF, &win); MPI_Rget(&spare, 1, MPI_INT, 0, 0, 1, MPI_INT,"
                   "win, &other); MPI_Wait(&other, &status);");
  expectSafe(IRECV "MPI_Win_create_dynamic(info, MPI_COMM_SELF, &win); MPI_Win_attach(win, &spare, 4);"
                   "MPI_Get_accumulate(&r, 1, MPI_INT, n, 1, MPI_INT, 0, size, 1, MPI_INT, MPI_REPLACE, win);");
}

TEST_F(MpiMemory, MemoryOfWindows) {
#define SHARED "int *m, *o, u; MPI_Win_allocate_shared(64, 4, info, MPI_COMM_WORLD, &m, &win);"
  expectSafe(IRECV SHARED "m[2] = r; MPI_Win_shared_query(win, 0, &size, &u, &o); q = (MPI_Request *)&o[2];");
  expectSafe(IRECV SHARED "m[2] = r; q = (MPI_Request *)(m - 14);"); // the neighbour's
  expectSafe(IRECV SHARED "*m = r; MPI_Win_get_attr(win, MPI_WIN_BASE, &q, &t);");
  expectSafe(IRECV "MPI_Win_create(&r, 4, 4, info, MPI_COMM_SELF, &win); MPI_Win_get_attr(win, MPI_WIN_BASE, &q, &t);");
}

TEST_F(MpiMemory, BuffersThatAreGivenBack) {
  // One address is written, and no more of what lies there.
  expectHarmless("struct { void *buffer; MPI_Request request; MPI_Comm comm; int n; } e = {.comm = s.comm};"
                 "MPI_Buffer_detach(&e.buffer, &e.n);"
                 "MPI_Irecv(n, 1, MPI_INT, 0, 4, e.comm, &e.request); MPI_Wait(&e.request, &status);");
  expectSafe(IRECV "MPI_Buffer_attach(&r, sizeof r); MPI_Buffer_detach(&q, &t);");
}

TEST_F(MpiMemory, AttributesOfOthers) {
  expectSafe(IRECV "MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &t, 0);"
                   "MPI_Type_set_attr(MPI_INT, t, &r); MPI_Type_get_attr(MPI_INT, t, &q, &t);");
  expectSafe(IRECV "MPI_Win_set_attr(win, t, &r); MPI_Win_get_attr(win, t, &q, &t);");
}

TEST_F(MpiMemory, SumsOfAddresses) {
  expectSafe(IRECV "MPI_Get_address(&r, &size); q = (MPI_Request *)(MPI_Aint_add)(size, 0);");
  expectSafe(IRECV "MPI_Aint to; MPI_Get_address(&r, &to); MPI_Get_address(&t, &size);"
                   "size = (MPI_Aint_diff)(to, size); q = (MPI_Request *)((char *)&t + size);");
}

// MPI hands an operation of the program's what is reduced, and takes what it makes of it.
TEST_F(MpiMemory, OperationsOfTheProgram) {
  const char *Sees = "static MPI_Request seen; static void op(void *a, void *b, int *n, MPI_Datatype *t)"
                     "{ seen = *(MPI_Request *)a; }";
  expectSafe("MPI_Op o; MPI_Op_create(op, 1, &o);" IRECV "MPI_Reduce_local(&r, b, 1, MPI_INT, o); q = &seen;", Sees);
  expectSafe("MPI_Op o; MPI_Op_create(op, 1, &o);" IRECV
             "MPI_Win_create(b, 4, 4, info, MPI_COMM_SELF, &win); MPI_Accumulate(&r, 1, MPI_INT, 0, 0, 1, MPI_INT, o,"
             "win); q = &seen;",
             Sees);
  expectSafe("MPI_Op o; MPI_Op_create(op, 1, &o);" IRECV "kept = r; MPI_Reduce_local(n, b, 1, MPI_INT, o);"
             "q = (MPI_Request *)b;",
             "static MPI_Request kept; static void op(void *a, void *b, int *n, MPI_Datatype *t)"
             "{ *(MPI_Request *)b = kept; }");
}

TEST_F(MpiMemory, OperationsOfTheProgramKeepNothing) {
  expectHarmless("MPI_Op o; MPI_Op_create(op, 1, &o); MPI_Allreduce(b, n, 4, MPI_INT, o, s.comm); MPI_Op_free(&o);",
                 "static void op(void *a, void *b, int *n, MPI_Datatype *t)"
                 "{ for (int i = 0; i < *n; ++i) ((int *)b)[i] ^= ((int *)a)[i]; }");
}

// So it does with the functions that convert what is in files.
TEST_F(MpiMemory, RepresentationsOfTheProgram) {
  const char *Sees = "static MPI_Request seen; static int to(void *a, MPI_Datatype t, int n, void *file, MPI_Offset at,"
                     "void *more) { seen = *(MPI_Request *)a; return 0; }"
                     "static int extent(MPI_Datatype t, MPI_Aint *size, void *more) { *size = 4; return 0; }";
  expectSafe(
      "MPI_Register_datarep(\"x\", 0, to, extent, 0); MPI_File_set_view(f, 0, MPI_INT, MPI_INT, \"x\", info);" IRECV
      "MPI_File_write(f, &r, 1, MPI_INT, &status); q = &seen;",
      Sees);
}

} // namespace
