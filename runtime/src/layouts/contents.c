/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "layouts/contents.h"

#include <stdlib.h>
#include <string.h>

/* The functions of MPI 4 know every type, the others all that MPI 3 can make. */
bool contents_envelope(struct contents *c, MPI_Datatype datatype) {
#if MPI_VERSION >= 4
  return PMPI_Type_get_envelope_c(datatype, &c->integer_count, &c->address_count, &c->large_count, &c->datatype_count,
                                  &c->combiner) == MPI_SUCCESS;
#else
  int integers, addresses, datatypes;
  bool ok = PMPI_Type_get_envelope(datatype, &integers, &addresses, &datatypes, &c->combiner) == MPI_SUCCESS;
  c->integer_count = integers;
  c->address_count = addresses;
  c->datatype_count = datatypes;
  return ok;
#endif
}

static bool ask_contents(struct contents *c, MPI_Datatype datatype, int *integers, MPI_Aint *addresses,
                         MPI_Count *large) {
#if MPI_VERSION >= 4
  return PMPI_Type_get_contents_c(datatype, c->integer_count, c->address_count, c->large_count, c->datatype_count,
                                  integers, addresses, large, c->datatypes) == MPI_SUCCESS;
#else
  (void)large;
  return PMPI_Type_get_contents(datatype, (int)c->integer_count, (int)c->address_count, (int)c->datatype_count,
                                integers, addresses, c->datatypes) == MPI_SUCCESS;
#endif
}

/* Puts large counts where those of the small constructor would be (MPI 4.0, 5.1.13). */
static void sort_large(struct contents *c, const int *integers, const MPI_Count *large) {
  MPI_Count n = c->large_count, leading = n;
  switch (c->combiner) {
  case MPI_COMBINER_HVECTOR:
  case MPI_COMBINER_HINDEXED_BLOCK:
    leading = 2;
    break;
  case MPI_COMBINER_HINDEXED:
  case MPI_COMBINER_STRUCT:
    leading = 1 + large[0];
    break;
  case MPI_COMBINER_SUBARRAY: /* dimensions and order are still integers */
    c->integers[0] = integers[0];
    memcpy(c->integers + 1, large, sizeof *large * (size_t)n);
    c->integers[1 + n] = integers[1];
    return;
  case MPI_COMBINER_DARRAY: /* all but the sizes of the array are still integers */
    for (int i = 0; i < 3; i++)
      c->integers[i] = integers[i];
    memcpy(c->integers + 3, large, sizeof *large * (size_t)n);
    for (MPI_Count i = 3; i < c->integer_count; i++)
      c->integers[n + i] = integers[i];
    return;
  }
  memcpy(c->integers, large, sizeof *large * (size_t)leading);
  memcpy(c->addresses, large + leading, sizeof *large * (size_t)(n - leading));
}

bool contents_open(struct contents *c, MPI_Datatype datatype) {
  size_t integer_count = (size_t)c->integer_count, address_count = (size_t)c->address_count,
         large_count = (size_t)c->large_count;
  int *integers = calloc(integer_count + 1, sizeof(int));
  MPI_Aint *addresses = calloc(address_count + 1, sizeof(MPI_Aint));
  MPI_Count *large = calloc(large_count + 1, sizeof(MPI_Count));
  c->integers = calloc(integer_count + large_count + 1, sizeof(MPI_Count));
  c->addresses = calloc(address_count + large_count + 1, sizeof(MPI_Count));
  c->datatypes = malloc(sizeof(MPI_Datatype) * (size_t)(c->datatype_count + 1));
  c->children = calloc((size_t)c->datatype_count + 1, sizeof *c->children);
  bool ok = integers && addresses && large && c->integers && c->addresses && c->datatypes && c->children &&
            ask_contents(c, datatype, integers, addresses, large);
  if (!ok) {
    c->datatype_count = 0;
  } else if (large_count) {
    sort_large(c, integers, large);
  } else {
    for (size_t i = 0; i < integer_count; i++)
      c->integers[i] = integers[i];
    for (size_t i = 0; i < address_count; i++)
      c->addresses[i] = addresses[i];
  }
  free(integers);
  free(addresses);
  free(large);
  for (MPI_Count i = 0; i < c->datatype_count; i++)
    ok = (c->children[i] = layout_build(c->datatypes[i])) != NULL && ok;
  return ok;
}

/* Whether MPI made the datatype itself: it cannot be freed. */
static bool is_predefined(MPI_Datatype datatype) {
  struct contents c = {0};
  if (!contents_envelope(&c, datatype))
    return true;
  switch (c.combiner) {
  case MPI_COMBINER_NAMED:
  case MPI_COMBINER_F90_REAL:
  case MPI_COMBINER_F90_COMPLEX:
  case MPI_COMBINER_F90_INTEGER:
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
  case MPI_COMBINER_VALUE_INDEX:
#endif
    return true;
  }
  return false;
}

void contents_close(struct contents *c) {
  for (MPI_Count i = 0; i < c->datatype_count; i++) {
    if (!is_predefined(c->datatypes[i]))
      PMPI_Type_free(&c->datatypes[i]);
    if (c->children[i]) {
      free(c->children[i]->blocks);
      free(c->children[i]);
    }
  }
  free(c->integers);
  free(c->addresses);
  free(c->datatypes);
  free(c->children);
}
