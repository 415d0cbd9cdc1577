/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "verify.h"
#include "fail.h"

static unsigned char content(int sender, int direction, int stamp, int i) {
  return (unsigned char)(sender * 31 + direction * 7 + stamp * 101 + i + (i >> 8));
}

void fill(const struct halo *h, int bytes, int stamp) {
  for (int j = 0; j < h->npartner; j++)
    for (int i = 0; i < bytes; i++)
      h->send[j][i] = content(h->rank, j, stamp, i);
}

void verify(const struct halo *h, int bytes, int stamp, const char *pattern) {
  for (int j = 0; j < h->npartner; j++)
    for (int i = 0; i < bytes; i++)
      if (h->receive[j][i] != content(h->partner[j], j ^ 1, stamp, i))
        fail("%s: rank %d, %d bytes from rank %d: byte %d is wrong", pattern, h->rank, bytes, h->partner[j], i);
}

/* (Volatile: the compiler must not see that nobody looks.) */
void write_messages(const struct halo *h, int bytes, int stamp) {
  for (int j = 0; j < h->npartner; j++)
    for (int i = 0; i < bytes; i += CACHE_LINE)
      *(volatile int *)(void *)(h->send[j] + i) = stamp;
}

void read_messages(const struct halo *h, int bytes) {
  for (int j = 0; j < h->npartner; j++)
    for (int i = 0; i < bytes; i += CACHE_LINE)
      (void)*(volatile int *)(void *)(h->receive[j] + i);
}
