// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests beside strings and streams of the library of C++, in records and maps: what is read and written as text
// leads nowhere else. A stream of the program's own, whose buffer sends what it is given, does.
//
// RUN: %run-both %s --work %t --ranks 2 --flags "-O1 -std=c++20"
#include "report.h"
#include <algorithm>
#include <cctype>
#include <fstream>
#include <iomanip>
#include <map>
#include <mpi.h>
#include <sstream>
#include <string>
#include <vector>

namespace {

int rank, other;
hash_t hash = HASH_START;

struct Neighbour {
  std::string name;
  std::vector<int> in, out;
  std::ostringstream log;
  MPI_Request requests[2];
};

/// Counts what is in a file, by words.
std::map<std::string, int> wordsOf(const std::string &file) {
  std::map<std::string, int> words;
  std::ifstream in(file);
  std::string line, word;
  while (std::getline(in, line))
    for (std::istringstream parts(line); parts >> word;) {
      for (char &c : word)
        c = static_cast<char>(std::toupper(c));
      ++words[word];
    }
  return words;
}

void exchange(std::map<std::string, Neighbour> &neighbours) {
  for (auto &[key, n] : neighbours) {
    int tag = std::stoi(key);
    MPI_Irecv(n.in.data(), static_cast<int>(n.in.size()), MPI_INT, other, tag, MPI_COMM_WORLD, &n.requests[0]);
    MPI_Isend(n.out.data(), static_cast<int>(n.out.size()), MPI_INT, other, tag, MPI_COMM_WORLD, &n.requests[1]);
    n.log << std::setw(4) << std::setfill('0') << n.name << ' ' << n.out.size() << '\n';
  }
  for (auto &[key, n] : neighbours) {
    MPI_Waitall(2, n.requests, MPI_STATUSES_IGNORE);
    n.name += key + n.log.str();
    hash = hash_bytes(hash, n.name.data(), n.name.size());
    hash = hash_bytes(hash, n.in.data(), n.in.size() * sizeof(int));
  }
}

/// A request lies in the buffer's record, and what the stream makes of its text completes it.
struct Sender : std::streambuf {
  int length = 0;
  char text[64];
  MPI_Request request = MPI_REQUEST_NULL;
  int overflow(int c) override {
    text[length++] = static_cast<char>(c);
    return c;
  }
  int sync() override {
    MPI_Isend(text, sizeof text, MPI_CHAR, other, 7, MPI_COMM_WORLD, &request);
    return MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
};

void send() {
  Sender sender;
  std::fill_n(sender.text, sizeof sender.text, ' ');
  std::ostream out(&sender);
  char in[sizeof sender.text];
  MPI_Request request;
  MPI_Irecv(in, sizeof in, MPI_CHAR, other, 7, MPI_COMM_WORLD, &request);
  out << "from " << rank << std::flush;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  hash = hash_bytes(hash, in, sizeof in);
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  std::string file = "words" + std::to_string(rank);
  std::ofstream(file) << "one two three\ntwo three\nthree " << rank << "\n";
  std::map<std::string, Neighbour> neighbours;
  for (const auto &[word, times] : wordsOf(file)) {
    Neighbour &n = neighbours[std::to_string(neighbours.size())];
    n.name = "of " + word;
    n.in.resize(8);
    n.out.assign(8, 100 * rank + times);
  }
  exchange(neighbours);
  send();
  report("streams", hash);
  MPI_Finalize();
}
