// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests and communicators whose addresses are thrown, and records of them that are. Each is an exchange with a tag
// of its own.
//
// RUN: %run-both %s --work %t --ranks 2
#include "report.h"
#include <exception>
#include <stdexcept>

static int other, in, out;
static hash_t hash = HASH_START;

#define IN &in, 1, MPI_INT, other
#define OUT &out, 1, MPI_INT, other

static void done(MPI_Request *request) {
  MPI_Wait(request, MPI_STATUS_IGNORE);
  hash = hash_number(hash, in), out++;
}

struct pending {
  int kind;
  MPI_Request *request;
};

struct failure : std::runtime_error {
  explicit failure(MPI_Request r) : std::runtime_error("pending"), request(r) {}
  MPI_Request request;
};

static void address() {
  MPI_Request request;
  try {
    MPI_Irecv(IN, 1, MPI_COMM_WORLD, &request);
    throw &request;
  } catch (MPI_Request *caught) {
    MPI_Send(OUT, 1, MPI_COMM_WORLD);
    done(caught);
  }
}

static void without_type() {
  MPI_Request request;
  try {
    MPI_Irecv(IN, 2, MPI_COMM_WORLD, &request);
    throw static_cast<void *>(&request);
  } catch (void *caught) {
    MPI_Send(OUT, 2, MPI_COMM_WORLD);
    done(static_cast<MPI_Request *>(caught));
  }
}

static void in_record() {
  MPI_Request request;
  try {
    MPI_Irecv(IN, 3, MPI_COMM_WORLD, &request);
    throw pending{1, &request};
  } catch (const pending &caught) {
    MPI_Send(OUT, 3, MPI_COMM_WORLD);
    done(caught.request);
  }
}

static void through_frames() {
  try {
    try {
      MPI_Request request;
      MPI_Irecv(IN, 4, MPI_COMM_WORLD, &request);
      throw failure(request);
    } catch (const std::exception &) {
      MPI_Send(OUT, 4, MPI_COMM_WORLD);
      throw;
    }
  } catch (failure &caught) {
    done(&caught.request);
  }
}

static void kept() {
  std::exception_ptr later;
  MPI_Request request;
  try {
    MPI_Irecv(IN, 5, MPI_COMM_WORLD, &request);
    throw pending{2, &request};
  } catch (...) {
    later = std::current_exception();
  }
  MPI_Send(OUT, 5, MPI_COMM_WORLD);
  try {
    std::rethrow_exception(later);
  } catch (const pending &caught) {
    done(caught.request);
  }
}

static void communicator() {
  MPI_Comm twin;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  try {
    throw &twin;
  } catch (const MPI_Comm *caught) {
    MPI_Irecv(IN, 6, *caught, &request);
  }
  MPI_Send(OUT, 6, twin);
  done(&request);
  MPI_Comm_free(&twin);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &other);
  out = 10 * other;
  other = 1 - other;
  address();
  without_type();
  in_record();
  through_frames();
  kept();
  communicator();
  report("thrown", hash);
  MPI_Finalize();
  return 0;
}
