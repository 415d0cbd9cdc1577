/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Whether our definitions of MPI's functions are the ones that all code in this process calls. They are not where
 * another library's stand before them (a profiling library that is preloaded), or where a library calls PMPI_ names
 * instead (the Fortran bindings of Open MPI).
 */
#include "net/net.h"
#include "net/serving.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static char obstacle_text[512];

/* Of one loaded library, as the dynamic linker sees it. */
struct symbols {
  const ElfW(Sym) * table;
  const char *names;
  size_t count;
};

/* GNU's hash table says only where chains begin: the last symbol is the end of the longest (glibc's elf/dl-addr.c
 * counts the same way). */
static size_t count_gnu(const uint32_t *hash) {
  uint32_t buckets = hash[0], first = hash[1], words = hash[2], last = 0;
  const uint32_t *bucket = hash + 4 + words * (sizeof(ElfW(Addr)) / sizeof(uint32_t)), *chain = bucket + buckets;
  for (uint32_t i = 0; i < buckets; i++)
    last = bucket[i] > last ? bucket[i] : last;
  if (last < first)
    return first; /* nothing but what it needs of others */
  while (!(chain[last - first] & 1))
    last++;
  return last + 1;
}

/* The dynamic linker has made addresses of these in most libraries, but not in the kernel's own. */
static const void *address(const struct dl_phdr_info *info, ElfW(Addr) pointer) {
  return (const void *)(pointer < info->dlpi_addr ? pointer + info->dlpi_addr : pointer);
}

static struct symbols symbols_of(const struct dl_phdr_info *info) {
  struct symbols symbols = {NULL, NULL, 0};
  const ElfW(Dyn) *entry = NULL;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      entry = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  for (; entry && entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_SYMTAB)
      symbols.table = address(info, entry->d_un.d_ptr);
    else if (entry->d_tag == DT_STRTAB)
      symbols.names = address(info, entry->d_un.d_ptr);
    else if (entry->d_tag == DT_HASH)
      symbols.count = ((const uint32_t *)address(info, entry->d_un.d_ptr))[1];
    else if (entry->d_tag == DT_GNU_HASH && !symbols.count)
      symbols.count = count_gnu(address(info, entry->d_un.d_ptr));
  }
  return symbols;
}

/* Whether a library calls PMPI_Send or a relative and does not stand in the line of MPI_Send itself, as profiling
 * libraries do, and MPI. */
static int goes_round(struct dl_phdr_info *info, size_t bytes, void *found) {
  static const char *const calls[] = {"PMPI_Send", "PMPI_Isend", "PMPI_Recv", "PMPI_Irecv"};
  struct symbols symbols = symbols_of(info);
  bool calls_pmpi = false, defines = false;
  (void)bytes;
  for (size_t i = 0; symbols.table && symbols.names && i < symbols.count; i++) {
    const char *name = symbols.names + symbols.table[i].st_name;
    bool undefined = symbols.table[i].st_shndx == SHN_UNDEF;
    if (undefined && name[0] == 'P')
      for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        calls_pmpi = calls_pmpi || strcmp(name, calls[k]) == 0;
    else if (!undefined)
      defines = defines || strcmp(name, "MPI_Send") == 0;
  }
  if (!calls_pmpi || defines)
    return 0;
  *(const char **)found = info->dlpi_name;
  return 1;
}

const char *net_obstacle(void) {
  const char *library = NULL;
  Dl_info before;
  void *first = dlsym(RTLD_DEFAULT, "MPI_Send"), *own = NULL;
  memcpy(&own, &(__typeof__(MPI_Send) *){own_send}, sizeof own);
  if (first && first != own)
    snprintf(obstacle_text, sizeof obstacle_text, "%s stands before libmpishm",
             dladdr(first, &before) && before.dli_fname ? before.dli_fname : "another library");
  else if (dl_iterate_phdr(goes_round, &library))
    snprintf(obstacle_text, sizeof obstacle_text, "%s calls PMPI functions",
             library && *library ? library : "the program");
  else
    return NULL;
  return obstacle_text;
}
