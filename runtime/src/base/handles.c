/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/handles.h"

#include <stdlib.h>

enum { FIRST_ENTRIES = 64 };

static void insert(struct handle_table *table, uint64_t key, void *value) {
  size_t i = handle_slot(table, key);
  while (table->entries[i].value && table->entries[i].key != key)
    i = (i + 1) & table->mask;
  if (!table->entries[i].value)
    table->count++;
  table->entries[i] = (struct handle_entry){key, value};
}

static bool grow(struct handle_table *table) {
  size_t old_size = table->entries ? table->mask + 1 : 0, size = old_size ? 2 * old_size : FIRST_ENTRIES;
  struct handle_entry *old = table->entries, *entries = calloc(size, sizeof *entries);
  if (!entries)
    return false;
  *table = (struct handle_table){.entries = entries, .mask = size - 1};
  for (size_t i = 0; i < old_size; i++)
    if (old[i].value)
      insert(table, old[i].key, old[i].value);
  free(old);
  return true;
}

bool handle_prepare(struct handle_table *table) { return table->entries || grow(table); }

bool handle_set(struct handle_table *table, uint64_t key, void *value) {
  if ((!table->entries || 2 * (table->count + 1) > table->mask + 1) && !grow(table))
    return false;
  insert(table, key, value);
  return true;
}

void handle_remove(struct handle_table *table, uint64_t key) {
  if (!table->entries)
    return;
  size_t i = handle_slot(table, key);
  while (table->entries[i].value && table->entries[i].key != key)
    i = (i + 1) & table->mask;
  if (!table->entries[i].value)
    return;
  table->count--;
  /* Later entries of the same run may only stay behind the gap if their own slot lies behind it. */
  for (size_t j = (i + 1) & table->mask; table->entries[j].value; j = (j + 1) & table->mask) {
    size_t home = handle_slot(table, table->entries[j].key);
    if (((j - home) & table->mask) >= ((j - i) & table->mask)) {
      table->entries[i] = table->entries[j];
      i = j;
    }
  }
  table->entries[i].value = NULL;
}

void handle_table_destroy(struct handle_table *table) {
  free(table->entries);
  *table = (struct handle_table){0};
}
