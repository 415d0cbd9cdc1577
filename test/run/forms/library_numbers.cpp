// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tags that the library of C++ computes, reads and writes. Each is an exchange of its own.
//
// RUN: %run-both %s --work %t --ranks 2
#include "report.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <numeric>
#include <sstream>
#include <vector>

static int other, in, out;
static hash_t hash = HASH_START;

static void exchange(int send, int receive) {
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, other, receive, MPI_COMM_WORLD, &request);
  MPI_Send(&out, 1, MPI_INT, other, send, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  hash = hash_number(hash, in), out++;
}

static void counted() {
  std::array<int, 4> tags{};
  std::iota(tags.begin(), tags.end(), 10);
  exchange(tags[2], 12);
  std::partial_sum(tags.begin(), tags.end(), tags.begin());
  exchange(tags[1], 21);
  exchange(std::accumulate(tags.begin(), tags.end(), 0), 10 + 21 + 33 + 46);
  exchange(std::inner_product(tags.begin(), tags.end(), tags.begin(), 1), 1 + 100 + 441 + 1089 + 2116);
}

static void read() {
  std::istringstream text("31 32 33");
  int first = 0;
  text >> first;
  exchange(first, 31);
  std::vector<int> rest{std::istream_iterator<int>(text), std::istream_iterator<int>()};
  exchange(rest.back(), 33);
}

static void converted() {
  char text[16];
  auto [end, error] = std::to_chars(text, text + sizeof text, 41);
  int tag = 0;
  std::from_chars(text, end, tag);
  exchange(tag + static_cast<int>(error), 41);
  exchange(std::stoi("42"), 42);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &other);
  out = 10 * other;
  other = 1 - other;
  counted();
  read();
  converted();
  report("numbers", hash);
  MPI_Finalize();
  return 0;
}
