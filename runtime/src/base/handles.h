/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A table from MPI handles (integers in some MPI libraries, pointers in others) to records of ours. Open addressing
 * with linear probing; deletion closes the gap (Knuth, The Art of Computer Programming, vol. 3, 6.4, algorithm R).
 * Not thread-safe by itself.
 */
#ifndef MPISHM_HANDLES_H
#define MPISHM_HANDLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct handle_entry {
  uint64_t key;
  void *value; /* NULL: free */
};

struct handle_table {
  struct handle_entry *entries;
  size_t mask, count;
};

/* The table's key for a handle of whatever type it has. */
#define HANDLE_KEY(handle) ((uint64_t)(uintptr_t)(handle))

static inline size_t handle_slot(const struct handle_table *table, uint64_t key) {
  return (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & table->mask;
}

/* The record of a handle, or NULL. */
static inline void *handle_find(const struct handle_table *table, uint64_t key) {
  if (!table->entries)
    return NULL;
  for (size_t i = handle_slot(table, key);; i = (i + 1) & table->mask) {
    const struct handle_entry *entry = &table->entries[i];
    if (!entry->value)
      return NULL;
    if (entry->key == key)
      return entry->value;
  }
}

/* The same of a table that has room (handle_prepare), where it is likely to be in the first place that is looked at. */
static inline void *handle_expect(const struct handle_table *table, uint64_t key) {
  const struct handle_entry *entry = &table->entries[handle_slot(table, key)];
  return entry->key == key ? entry->value : handle_find(table, key);
}

/* Room for some. False when there is no memory. */
bool handle_prepare(struct handle_table *table);
/* Sets the record of a handle, replacing an earlier one. False when there is no memory. */
bool handle_set(struct handle_table *table, uint64_t key, void *value);
void handle_remove(struct handle_table *table, uint64_t key);
void handle_table_destroy(struct handle_table *table);

#endif
