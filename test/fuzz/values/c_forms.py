# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forms of C, which C++ has, too, in which a value goes from one expression to another.

A form is a row: form(name, body, out, top, kinds, headers, language). It takes the expression $x of the type $T, and
after the statements of body, out is an expression of that type and value. top goes before the function, and @ is a
number that no other use of a form has. $d is another value of that type, so that a value that the tool loses leaves a
wrong one. kinds are the types for which a form holds: those of KINDS, or ANY of them.
"""

from dataclasses import dataclass

KINDS = ("int", "request", "comm", "pointer")
ANY = "int request comm pointer"
SCALAR = "int request comm"  # in MPICH and its kin all are int


@dataclass(frozen=True)
class Form:
    name: str
    body: str
    out: str
    top: str = ""
    kinds: str = ANY
    headers: str = ""
    language: str = "both"  # both, c, c++


FORMS = []


def form(name, body, out, top="", kinds=ANY, headers="", language="both"):
    FORMS.append(Form(name, body, out, top, kinds, headers, language))


form("a local variable", "$T v@ = $d; v@ = $x;", "v@")
form("a pointer", "$T v@ = $x, *p@ = &v@;", "*p@")
form("a pointer to a pointer", "$T v@ = $x, w@ = $d, *p@ = &w@, **q@ = &p@; *q@ = &v@;", "*p@")
form("a void pointer", "$T v@ = $x; void *p@ = &v@;", "*($T *)p@")
form("a member", "struct { long n; $T v; char c; } s@ = {1, $d, 2}; s@.v = $x;", "s@.v")
form("the first member", "struct s@ { $T v; int n; } s@ = {$x, 1}; $T *p@ = ($T *)&s@;", "*p@")
form("offsetof", "struct s@ s@ = {1, $x, 2}; char *p@ = (char *)&s@ + offsetof(struct s@, v);", "*($T *)p@",
     "struct s@ { char c; $T v; int n; };", headers="stddef.h")
form("container_of", "struct s@ s@ = {$x, 2}; int *n@ = &s@.n;",
     "((struct s@ *)((char *)n@ - offsetof(struct s@, n)))->v", "struct s@ { $T v; int n; };", headers="stddef.h")
form("the prefix of a record", "struct l@ s@ = {3, $x, 4}; struct b@ *p@ = (struct b@ *)&s@;", "p@->v",
     "struct b@ { int kind; $T v; }; struct l@ { int kind; $T v; int more; };")
form("an array by a computed index", "$T a@[4] = {$d, $d, $d, $d}; int i@ = three(); a@[i@] = $x;", "a@[3]")
form("an array of void pointers", "$T v@ = $x, w@ = $d; void *a@[3]; a@[0] = &w@; a@[three() - 1] = &v@;",
     "*($T *)a@[2]")
form("two dimensions", "$T a@[2][3]; int i@, j@; for (i@ = 0; i@ < 2; i@++) for (j@ = 0; j@ < 3; j@++) a@[i@][j@] = $d;"
     " a@[1][2] = $x;", "(&a@[0][0])[three() + 2]")
form("a union", "union { $T v; long n; char c[8]; } u@; u@.n = 0; u@.v = $x;", "u@.v")
form("a union's bytes", "union { $T v; unsigned char c[sizeof($T)]; } u@, w@; int i@; u@.v = $x; w@.v = $d;"
     " for (i@ = 0; i@ < (int)sizeof($T); i@++) w@.c[i@] = u@.c[i@];", "w@.v")
form("a copy of a record", "struct s@ { int n; $T v; } s@ = {1, $x}, t@ = {2, $d}; memcpy(&t@, &s@, sizeof t@);",
     "t@.v", headers="string.h")
form("a copy of a part", "struct s@ { int n; $T v; } s@ = {1, $x}; $T v@ = $d; memcpy(&v@, &s@.v, sizeof v@);", "v@",
     headers="string.h")
form("memmove within bytes", "char b@[40] = {0}; $T v@ = $x, w@ = $d; memcpy(b@ + 3, &v@, sizeof v@);"
     " memmove(b@ + 5, b@ + 3, sizeof v@); memcpy(&w@, b@ + 5, sizeof v@);", "w@", headers="string.h")
form("single bytes", "$T v@ = $x, w@ = $d; char *p@ = (char *)&v@, *q@ = (char *)&w@; size_t i@;"
     " for (i@ = 0; i@ < sizeof v@; i@++) q@[i@] = p@[i@];", "w@", headers="stddef.h")
form("a long and back", "long n@ = (long)$x;", "($T)n@")
form("an address of a number", "void *p@ = (void *)(intptr_t)$x;", "($T)(intptr_t)p@", headers="stdint.h")
form("a mask", "uintptr_t n@ = (uintptr_t)$x ^ 0x5a5a5a5a;", "($T)(n@ ^ 0x5a5a5a5a)", headers="stdint.h")
form("two halves", "unsigned long n@ = (unsigned long)$x; unsigned h@ = (unsigned)(n@ >> 32), l@ = (unsigned)n@;",
     "($T)((unsigned long)h@ << 32 | l@)")
form("minus and plus", "long n@ = (long)$x - 1000;", "($T)(n@ + 1000)")
form("the difference to null", "long n@ = (char *)(long)$x - (char *)0;", "($T)n@")
form("a static variable", "keep@($x);", "kept@",
     "static $T kept@ = $g; static void keep@($T v) { kept@ = v; }")
form("a setter and a getter", "set@($x);", "get@()",
     "static $T held@ = $g; void set@($T v) { held@ = v; } $T get@(void) { return held@; }")
form("a function pointer", "$T (*f@)($T) = same@;", "f@($x)", "static $T same@($T v) { return v; }")
form("a table of functions", "$T v@ = table@[three() - 2]($x);", "v@",
     "static $T no@($T v) { (void)v; return $g; } static $T yes@($T v) { return v; }"
     " static $T (*const table@[])($T) = {no@, yes@};")
form("a function as void pointer", "void *f@ = (void *)same@;", "(($T(*)($T))f@)($x)",
     "static $T same@($T v) { return v; }")
form("variadic arguments", "$T v@ = last@(2, $d, $x);", "v@",
     "static $T last@(int n, ...) { $T v; va_list l; va_start(l, n); while (n--) v = va_arg(l, $T); va_end(l);"
     " return v; }", headers="stdarg.h")
form("a list of variadic arguments", "$T v@ = first@(1, $x);", "v@",
     "static $T take@(va_list l) { return va_arg(l, $T); } static $T first@(int n, ...) { $T v; va_list l;"
     " va_start(l, n); v = take@(l); va_end(l); return v; }", headers="stdarg.h")
form("a record as variadic argument", "struct s@ s@ = {{1, 2, 3, 4, 5}, $x}; $T v@ = take@(1, s@);", "v@",
     "struct s@ { long n[5]; $T v; }; static $T take@(int n, ...) { struct s@ s; va_list l; va_start(l, n);"
     " s = va_arg(l, struct s@); va_end(l); return s.v; }", headers="stdarg.h")
form("a small record as variadic argument", "struct s@ s@ = {4, $x}; $T v@ = take@(1, s@);", "v@",
     "struct s@ { int n; $T v; }; static $T take@(int n, ...) { struct s@ s; va_list l; va_start(l, n);"
     " s = va_arg(l, struct s@); va_end(l); return s.v; }", headers="stdarg.h")
form("a list in C", "struct n@ *l@ = push@(push@(push@(0, $d), $x), $d);", "l@->next->v",
     "struct n@ { struct n@ *next; $T v; }; static struct n@ *push@(struct n@ *l, $T v) {"
     " struct n@ *n = (struct n@ *)malloc(sizeof *n); n->next = l; n->v = v; return n; }", headers="stdlib.h")
form("a list of void pointers", "$T v@ = $x; struct n@ *l@ = push@(0, &v@);", "*($T *)l@->data",
     "struct n@ { struct n@ *next; void *data; }; static struct n@ *push@(struct n@ *l, void *data) {"
     " struct n@ *n = (struct n@ *)malloc(sizeof *n); n->next = l; n->data = data; return n; }", headers="stdlib.h")
form("a hash map in C", "struct e@ t@[8] = {{0}}; put@(t@, 5, $d); put@(t@, 13, $x);", "find@(t@, 13)->v",
     "struct e@ { int used; long key; $T v; }; static struct e@ *find@(struct e@ *t, long k) {"
     " int i = k % 8; while (t[i].used && t[i].key != k) i = (i + 1) % 8; return &t[i]; }"
     " static void put@(struct e@ *t, long k, $T v) { struct e@ *e = find@(t, k); e->used = 1; e->key = k; e->v = v; }")
form("the key of a hash map in C", "long t@[8] = {0}; t@[(unsigned long)$x % 8] = (long)$x;"
     " int i@ = 0; while (!t@[i@]) i@++;", "($T)t@[i@]", kinds="int pointer")
form("memory that grows", "$T *a@ = ($T *)malloc(sizeof *a@); a@[0] = $x; a@ = ($T *)realloc(a@, 9 * sizeof *a@);"
     " a@[8] = $d;", "a@[0]", headers="stdlib.h")
form("setjmp and longjmp", "jmp_buf j@; $T volatile v@ = $d; if (!setjmp(j@)) { v@ = $x; longjmp(j@, 1); }", "v@",
     headers="setjmp.h")
form("qsort", "struct s@ s@[3] = {{5, $d}, {2, $x}, {7, $d}}; qsort(s@, 3, sizeof s@[0], order@);", "s@[0].v",
     "struct s@ { int k; $T v; }; static int order@(const void *a, const void *b) {"
     " return ((const struct s@ *)a)->k - ((const struct s@ *)b)->k; }", headers="stdlib.h")
form("bsearch", "struct s@ s@[3] = {{2, $d}, {5, $x}, {7, $d}}, k@ = {5, $d};"
     " struct s@ *f@ = (struct s@ *)bsearch(&k@, s@, 3, sizeof k@, order@);", "f@->v",
     "struct s@ { int k; $T v; }; static int order@(const void *a, const void *b) {"
     " return ((const struct s@ *)a)->k - ((const struct s@ *)b)->k; }", headers="stdlib.h")
form("a comparison that keeps", "$T a@[2]; a@[0] = $x; a@[1] = $x; qsort(a@, 2, sizeof a@[0], see@);", "seen@",
     "static $T seen@ = $g; static int see@(const void *a, const void *b) { seen@ = *(const $T *)a; (void)b;"
     " return 0; }", headers="stdlib.h")
form("a thread", "pthread_t t@; $T v@ = $x; void *r@; pthread_create(&t@, 0, run@, &v@); pthread_join(t@, &r@);",
     "*($T *)r@", "static void *run@(void *p) { return p; }", headers="pthread.h")
form("a thread that writes", "pthread_t t@; struct s@ s@ = {$x, $d}; pthread_create(&t@, 0, run@, &s@);"
     " pthread_join(t@, 0);", "s@.to",
     "struct s@ { $T from, to; }; static void *run@(void *p) { struct s@ *s = (struct s@ *)p; s->to = s->from;"
     " return 0; }", headers="pthread.h")
form("memory of a thread", "pthread_key_t k@; $T v@ = $x; pthread_key_create(&k@, 0); pthread_setspecific(k@, &v@);",
     "*($T *)pthread_getspecific(k@)", headers="pthread.h")
form("a variable of a thread", "mine@ = $x;", "mine@", "static __thread $T mine@ = $g;")
form("a volatile variable", "volatile $T v@ = $d; v@ = $x;", "v@")
form("an atomic exchange", "$T v@ = $d; (void)__atomic_exchange_n(&v@, $x, __ATOMIC_SEQ_CST);",
     "__atomic_load_n(&v@, __ATOMIC_ACQUIRE)")
form("an atomic compare and exchange", "$T v@ = $d, e@ = $d; __atomic_compare_exchange_n(&v@, &e@, $x, 0, 5, 5);",
     "v@")
form("what a failed exchange sees", "$T v@ = $x, e@ = $d; __atomic_compare_exchange_n(&v@, &e@, $d, 0, 5, 5);", "e@")
form("an atomic sum", "long v@ = 0; __sync_fetch_and_add(&v@, (long)$x);", "($T)v@")
form("an atomic or", "unsigned long v@ = 0; __atomic_or_fetch(&v@, (unsigned long)$x, 5);", "($T)v@")
form("a computed goto", "void *l@[] = {&&a@, &&b@}; $T v@ = $d; goto *l@[three() - 2]; a@: v@ = $d; goto c@;"
     " b@: v@ = $x; c@:;", "v@")
form("a switch", "$T v@ = $d; switch (three()) { case 1: v@ = $d; break; case 3: v@ = $x; }", "v@")
form("an array of a length known late", "$T a@[three()]; a@[0] = $d; a@[2] = $x;", "*(a@ + 2)", language="c")
form("alloca", "$T *a@ = ($T *)__builtin_alloca(sizeof($T) * three()); a@[1] = $x; a@[2] = $d;", "a@[1]")
form("a flexible array", "struct f@ *f@ = (struct f@ *)malloc(sizeof *f@ + 3 * sizeof($T)); f@->n = 3; f@->v[2] = $x;"
     " f@->v[1] = $d;", "f@->v[f@->n - 1]", "struct f@ { int n; $T v[]; };", headers="stdlib.h")
form("an array of one at the end", "struct f@ *f@ = (struct f@ *)malloc(sizeof *f@ + 3 * sizeof($T)); f@->n = 3;"
     " f@->v[2] = $x; f@->v[0] = $d;", "f@->v[f@->n - 1]", "struct f@ { int n; $T v[1]; };", headers="stdlib.h")
form("a packed record", "struct s@ s@ = {1, $x}; struct s@ t@ = s@;", "t@.v",
     "#pragma pack(push, 1)\nstruct s@ { char c; $T v; };\n#pragma pack(pop)")
form("an output of assembly", "$T v@; __asm__(\"\" : \"=r\"(v@) : \"0\"($x));", "v@")
form("memory that assembly writes", "$T v@ = $d, w@ = $x; __asm__ volatile(\"mov %1, %0\" : \"=m\"(v@) : \"r\"(w@));",
     "v@")
form("what assembly changes", "$T v@ = $x; long n@ = (long)v@; __asm__(\"not %0\" : \"+r\"(n@)); n@ = ~n@;", "($T)n@")
form("names in assembly", "from@ = $x; __asm__ volatile(\"mov from@(%%rip), %%rax\\n\\tmov %%rax, to@(%%rip)\" ::: "
     "\"rax\", \"memory\");", "to@",
     "__attribute__((used, aligned(8))) $T from@ = $g, pad@[2];"
     " __attribute__((used, aligned(8))) $T to@ = $g, fill@[2];")
form("another name of a variable", "one@ = $x;", "other@",
     "$T one@ = $g; extern $T other@ __attribute__((alias(\"one@\")));", language="c")
form("another name of a function", "$T v@ = name@($x);", "v@",
     "$T own@($T v) { return v; } $T name@($T) __attribute__((alias(\"own@\")));", language="c")
form("a function that is chosen at the start", "$T v@ = pick@($x);", "v@",
     "static $T own@($T v) { return v; } static $T (*choose@(void))($T) { return own@; }"
     " $T pick@($T v) __attribute__((ifunc(\"choose@\")));", language="c")
form("what a chosen function keeps", "pick@($x);", "kept@",
     "static $T kept@ = $g; static void own@($T v) { kept@ = v; } static void (*choose@(void))($T) { return own@; }"
     " void pick@($T v) __attribute__((ifunc(\"choose@\")));", language="c")
form("a section of variables", "entry@ = $x; struct e@ *e@ = &__start_forms@;", "e@->v",
     "struct e@ { $T v; }; static $T dummy@ = $g; extern struct e@ __start_forms@;\n"
     "__attribute__((section(\"forms@\"), used)) static $T entry@ = $g;", kinds=ANY)
form("a function of the start", "$T v@ = read@();", "v@ ? v@ : $x",
     "static $T started@ = ($T)0; static void start@(void) { started@ = ($T)0; }"
     " __attribute__((section(\".init_array\"), used)) static void (*const at@)(void) = start@;"
     " static $T read@(void) { return started@; }", kinds="int")
form("a pipe", "int p@[2]; $T v@ = $x, w@ = $d; if (pipe(p@) || write(p@[1], &v@, sizeof v@) < 0 ||"
     " read(p@[0], &w@, sizeof w@) < 0) abort();", "w@", headers="unistd.h stdlib.h")
form("a file", "FILE *f@ = tmpfile(); $T v@ = $x, w@ = $d; fwrite(&v@, sizeof v@, 1, f@); rewind(f@);"
     " if (fread(&w@, sizeof w@, 1, f@) != 1) abort(); fclose(f@);", "w@", headers="stdio.h stdlib.h")
form("single bytes in a file", "FILE *f@ = tmpfile(); $T v@ = $x, w@ = $d; unsigned char *p@ = (unsigned char *)&v@,"
     " *q@ = (unsigned char *)&w@; size_t i@; for (i@ = 0; i@ < sizeof v@; i@++) fputc(p@[i@], f@); rewind(f@);"
     " for (i@ = 0; i@ < sizeof v@; i@++) q@[i@] = (unsigned char)fgetc(f@); fclose(f@);", "w@", headers="stdio.h")
form("digits of halves", "char s@[40]; unsigned long n@ = (unsigned long)$x; unsigned h@, l@;"
     " snprintf(s@, sizeof s@, \"%x %x\", (unsigned)(n@ >> 16), (unsigned)(n@ & 0xffff));"
     " sscanf(s@, \"%x %x\", &h@, &l@); n@ = (unsigned long)h@ << 16 | l@;", "($T)n@", headers="stdio.h", kinds=SCALAR)
form("digits", "char s@[40]; long n@; snprintf(s@, sizeof s@, \"%ld\", (long)$x); sscanf(s@, \"%ld\", &n@);",
     "($T)n@", headers="stdio.h")
form("digits of an address", "char s@[40]; $T v@ = $x; void *p@; snprintf(s@, sizeof s@, \"%p\", (void *)&v@);"
     " sscanf(s@, \"%p\", &p@);", "*($T *)p@", headers="stdio.h")
form("halves of an address", "char s@[40]; $T v@ = $x; unsigned long h@, l@, n@ = (unsigned long)&v@;"
     " snprintf(s@, sizeof s@, \"%lx %lx\", n@ >> 20, n@ & 0xfffff); sscanf(s@, \"%lx %lx\", &h@, &l@);",
     "*($T *)(h@ << 20 | l@)", headers="stdio.h")
form("strtol", "char s@[40]; snprintf(s@, sizeof s@, \"%ld\", (long)$x);", "($T)strtol(s@, 0, 10)",
     headers="stdio.h stdlib.h")
form("text that is split", "char s@[40], *p@; snprintf(s@, sizeof s@, \"x %ld\", (long)$x); strtok(s@, \" \");"
     " p@ = strtok(0, \" \");", "($T)atol(p@)", headers="stdio.h stdlib.h string.h")
form("seeds", "unsigned short s@[3], *p@; int i@; for (i@ = 0; i@ < 3; i@++)"
     " s@[i@] = (unsigned short)((unsigned long)$x >> 16 * i@); seed48(s@); p@ = seed48(s@);",
     "($T)(p@[0] | (unsigned long)p@[1] << 16 | (unsigned long)p@[2] << 32)", headers="stdlib.h")
form("a variable of the environment", "char s@[40]; snprintf(s@, sizeof s@, \"%ld\", (long)$x);"
     " setenv(\"FORM@\", s@, 1);", "($T)atol(getenv(\"FORM@\"))", headers="stdio.h stdlib.h")
form("packing", "char b@[64]; int at@ = 0; $T v@ = $x, w@ = $d; MPI_Pack(&v@, sizeof v@, MPI_BYTE, b@, 64, &at@,"
     " MPI_COMM_SELF); at@ = 0; MPI_Unpack(b@, 64, &at@, &w@, sizeof w@, MPI_BYTE, MPI_COMM_SELF);", "w@")
form("an address of MPI's", "MPI_Aint a@; $T v@ = $x; MPI_Get_address(&v@, &a@);", "*($T *)a@")
form("a reduction", "$T v@ = $x, w@ = $d; MPI_Allreduce(&v@, &w@, sizeof v@, MPI_BYTE, MPI_BOR, MPI_COMM_SELF);",
     "w@")
form("a gather", "$T v@ = $x, w@[1]; w@[0] = $d; MPI_Gather(&v@, sizeof v@, MPI_BYTE, w@, sizeof v@, MPI_BYTE, 0,"
     " MPI_COMM_SELF);", "w@[0]")
form("a window of MPI's", "MPI_Win w@; $T v@ = $x, u@ = $d; MPI_Win_create(&u@, sizeof u@, 1, MPI_INFO_NULL,"
     " MPI_COMM_SELF, &w@); MPI_Win_fence(0, w@); MPI_Put(&v@, sizeof v@, MPI_BYTE, 0, 0, sizeof v@, MPI_BYTE, w@);"
     " MPI_Win_fence(0, w@); MPI_Win_free(&w@);", "u@")
form("a datatype that reaches back", "struct { $T v; long n; } s@ = {$d, 1}, t@ = {$x, 1}; MPI_Datatype t@t;"
     " MPI_Aint d@ = -(MPI_Aint)((char *)&s@.n - (char *)&s@.v); int l@ = sizeof($T); MPI_Type_create_hindexed(1, &l@,"
     " &d@, MPI_BYTE, &t@t); MPI_Type_commit(&t@t); MPI_Allgather(&t@.n, 1, t@t, &s@.n, 1, t@t, MPI_COMM_SELF);"
     " MPI_Type_free(&t@t);", "s@.v")
form("an attribute", "int k@, f@; $T v@ = $x, *p@; MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN,"
     " MPI_COMM_NULL_DELETE_FN, &k@, 0); MPI_Comm_set_attr(MPI_COMM_SELF, k@, &v@);"
     " MPI_Comm_get_attr(MPI_COMM_SELF, k@, &p@, &f@);", "*p@")
form("an operation of the user", "$T v@ = $x, w@ = $d; MPI_Op o@; MPI_Op_create(take@, 1, &o@);"
     " MPI_Reduce_local(&v@, &w@, 1, MPI_INT, o@); MPI_Op_free(&o@);", "seen@",
     "static $T seen@ = $g; static void take@(void *a, void *b, int *n, MPI_Datatype *t) { seen@ = *($T *)a; (void)b;"
     " (void)n; (void)t; }", kinds=SCALAR)
form("a signal", "sent@ = $x; signal(SIGUSR1, catch@); raise(SIGUSR1);", "got@",
     "static volatile $T sent@ = $g, got@ = $g; static void catch@(int n) { (void)n; got@ = sent@; }",
     headers="signal.h")
form("a statement expression", "$T v@ = ({ $T w = $x; w; });", "v@")
form("a compound literal", "$T *p@ = ($T[]){$d, $x};", "p@[1]", language="c")
form("a record as result", "struct s@ s@ = make@($x);", "s@.v",
     "struct s@ { char c[40]; $T v; }; static struct s@ make@($T v) { struct s@ s = {{0}, $g}; s.v = v; return s; }")
form("a small record as argument", "struct s@ s@ = {$d, $x}; $T v@ = take@(s@);", "v@",
     "struct s@ { $T a, b; }; static $T take@(struct s@ s) { return s.b; }")
form("an output parameter", "$T v@ = $d; put@(&v@, $x);", "v@", "static void put@($T *to, $T v) { *to = v; }")
form("recursion", "$T v@ = down@(3, $x);", "v@",
     "static $T down@(int n, $T v) { return n ? down@(n - 1, v) : v; }")
form("a function without prototype", "$T v@ = old@($x, 1);", "v@",
     "static $T old@(); static $T old@(v, n) $T v; int n; { (void)n; return v; }", language="c")
form("cleanup", "{ __attribute__((cleanup(clean@))) $T v@ = $x; (void)v@; }", "cleaned@",
     "static $T cleaned@ = $g; static void clean@($T *p) { cleaned@ = *p; }")
form("a generic choice", "$T v@ = _Generic(($x), $T: ($x), default: $d);", "v@", language="c", kinds="int")
form("Duff's device", "$T a@[3], b@[3], *f@ = a@, *t@ = b@; int n@ = three(); a@[0] = a@[1] = $d; a@[2] = $x;"
     " switch (n@ % 2) { do { case 0: *t@++ = *f@++; n@--; case 1: *t@++ = *f@++; n@--; } while (n@ > 0); }", "b@[2]")
form("bytes turned twice", "unsigned long n@ = __builtin_bswap64((unsigned long)$x);", "($T)__builtin_bswap64(n@)")
form("bits turned", "unsigned long n@ = (unsigned long)$x; n@ = n@ << 17 | n@ >> 47; n@ = n@ << 47 | n@ >> 17;",
     "($T)n@")
form("128 bits", "__int128 n@ = (__int128)(long)$x << 40;", "($T)(long)(n@ >> 40)")
form("a vector", "typedef long vec@ __attribute__((vector_size(32))); vec@ w@ = {0, 1, 2, 3};"
     " w@[three() - 1] = (long)$x;",
     "($T)w@[2]")
form("vectors in another order", "typedef long vec@ __attribute__((vector_size(16))); vec@ v@ = {(long)$x, 5},"
     " w@ = {6, 7}; v@ = __builtin_shufflevector(w@, v@, 1, 2);", "($T)v@[1]")
form("a floating-point number's bits", "float f@[2] = {1, 2}, g@; $T v@ = $x, w@ = $d; memcpy(&f@[0], &v@, 4);"
     " copy@(&g@, f@); memcpy(&w@, &g@, 4);", "w@", "static void copy@(float *to, const float *from) { *to = *from; }",
     headers="string.h", kinds=SCALAR)
form("a double's bits", "double f@[2] = {1, 2}, g@; long n@ = (long)$x; memcpy(&f@[0], &n@, 8); copy@(&g@, f@);"
     " memcpy(&n@, &g@, 8);", "($T)n@", "static void copy@(double *to, const double *from) { *to = *from; }",
     headers="string.h")
form("a double", "double f@ = (double)(long)$x;", "($T)(long)f@")
form("vectors of memory", "struct iovec i@[1], o@[1]; int p@[2]; $T v@ = $x, w@ = $d; i@[0].iov_base = &v@;"
     " o@[0].iov_base = &w@; i@[0].iov_len = o@[0].iov_len = sizeof v@; if (pipe(p@) || writev(p@[1], i@, 1) < 0 ||"
     " readv(p@[0], o@, 1) < 0) abort();", "w@", headers="sys/uio.h unistd.h stdlib.h")
form("shared memory", "$T *p@ = ($T *)mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);"
     " p@[0] = $d; p@[1] = $x;", "p@[1]", headers="sys/mman.h")
form("memory at a known address", "mmap((void *)0x10@0000, 4096, PROT_READ | PROT_WRITE,"
     " MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); *($T *)0x10@0000 = $x;", "*($T *)0x10@0000",
     headers="sys/mman.h")
form("a child that writes", "$T *p@ = ($T *)mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0),"
     " v@ = $x; *p@ = $d; *p@ = v@;", "*p@", headers="sys/mman.h")
form("a stream in memory", "char *b@; size_t n@; FILE *f@ = open_memstream(&b@, &n@); $T v@ = $x, w@ = $d;"
     " fwrite(&v@, sizeof v@, 1, f@); fclose(f@); memcpy(&w@, b@, sizeof w@);", "w@", headers="stdio.h string.h")
form("mempcpy", "$T a@[2], v@ = $x; mempcpy(mempcpy(a@, &v@, sizeof v@), &v@, sizeof v@);", "a@[1]",
     headers="string.h")
form("bcopy and wmemcpy", "$T v@ = $x, w@ = $d, u@ = $d; bcopy(&v@, &w@, sizeof v@);"
     " wmemcpy((wchar_t *)&u@, (wchar_t *)&w@, sizeof v@ / 4);", "u@", headers="strings.h wchar.h")
form("memfrob", "$T v@ = $x, w@; memfrob(&v@, sizeof v@); w@ = v@; memfrob(&w@, sizeof w@);", "w@",
     headers="string.h")
form("swapcontext", "given@ = $x; getcontext(&other@); other@.uc_stack.ss_sp = stack@;"
     " other@.uc_stack.ss_size = sizeof stack@; other@.uc_link = &own@; makecontext(&other@, run@, 0);"
     " swapcontext(&own@, &other@);", "got@",
     "static ucontext_t own@, other@; static char stack@[1 << 16]; static $T given@ = $g, got@ = $g;"
     " static void run@(void) { got@ = given@; }", headers="ucontext.h")
form("tsearch", "struct s@ s@ = {5, $x}, k@ = {5, $d}; void *t@ = 0; tsearch(&s@, &t@, order@);",
     "(*(struct s@ **)tfind(&k@, &t@, order@))->v",
     "struct s@ { int k; $T v; }; static int order@(const void *a, const void *b) {"
     " return ((const struct s@ *)a)->k - ((const struct s@ *)b)->k; }", headers="search.h")
form("hsearch", "ENTRY e@, *f@; $T v@ = $x; hcreate(8); e@.key = (char *)\"k\"; e@.data = &v@; hsearch(e@, ENTER);"
     " e@.data = 0; f@ = hsearch(e@, FIND); $T *p@ = ($T *)f@->data; hdestroy();", "*p@", headers="search.h")
form("a symbol that is looked up", "look@ = $x; $T *p@ = ($T *)dlsym(RTLD_DEFAULT, \"look@\"); if (!p@) p@ = &look@;",
     "*p@", "$T look@ = $g;", headers="dlfcn.h")
form("a vtable in C", "struct v@ t@ = {skip@, give@}; struct o@ o@ = {&t@, $x};", "o@.t->b(&o@)",
     "struct o@; struct v@ { $T (*a)(struct o@ *), (*b)(struct o@ *); }; struct o@ { const struct v@ *t; $T v; };"
     " static $T skip@(struct o@ *o) { (void)o; return $g; } static $T give@(struct o@ *o) { return o->v; }")
form("a difference of pointers", "$T a@[2]; a@[0] = $d; a@[1] = $x; long n@ = &a@[1] - &a@[0];", "a@[n@]")
form("the distance to another object", "$T v@ = $x, w@ = $d; long n@ = (char *)&v@ - (char *)&w@;",
     "*($T *)((char *)&w@ + n@)")
form("a relative pointer", "struct r@ *r@ = (struct r@ *)malloc(sizeof *r@); $T *p@ = ($T *)malloc(sizeof *p@);"
     " *p@ = $x; r@->to = (char *)p@ - (char *)r@;", "*($T *)((char *)r@ + r@->to)", "struct r@ { long to; };",
     headers="stdlib.h")
form("bits in an address", "$T *p@ = ($T *)malloc(16); *p@ = $x; p@ = ($T *)((uintptr_t)p@ | 1);",
     "*($T *)((uintptr_t)p@ & ~(uintptr_t)1)", headers="stdlib.h stdint.h")
form("an aligned address", "char *b@ = (char *)malloc(200); $T *p@ = ($T *)(((uintptr_t)b@ + 63) & ~(uintptr_t)63);"
     " *p@ = $x; p@[1] = $d;", "*($T *)(((uintptr_t)b@ + 63) & ~(uintptr_t)63)", headers="stdlib.h stdint.h")
form("an address aligned by a variable", "char *b@ = (char *)malloc(200); int n@ = 21 * three();"
     " $T *p@ = ($T *)(((uintptr_t)b@ + n@) & ~(uintptr_t)n@); *p@ = $x; p@[1] = $d;",
     "*($T *)(((uintptr_t)b@ + n@) & ~(uintptr_t)n@)", headers="stdlib.h stdint.h")
form("an address aligned by two variables", "char *b@ = (char *)malloc(200); uintptr_t n@ = 21u * three(), m@ = -64;"
     " $T *p@ = ($T *)(((uintptr_t)b@ + n@) & m@); *p@ = $x; p@[1] = $d;",
     "*($T *)(((uintptr_t)b@ + n@) & m@)", headers="stdlib.h stdint.h")
TAKE = ("static void *take@(size_t n) { char *b = (char *)malloc(n + 80), *p = b + (64 - (uintptr_t)b % 64);"
        " ((char **)p)[-1] = b; return p; }")
ALIGNED = "$T *p@ = ($T *)take@(16u + three()); p@[0] = $d; p@[1] = $x;"
form("memory that is made aligned", ALIGNED, "p@[1]", TAKE, headers="stdlib.h stdint.h stddef.h")
form("aligned memory by its beginning", ALIGNED + " char *b@ = ((char **)p@)[-1];",
     "(($T *)(b@ + (64 - (uintptr_t)b@ % 64)))[1]", TAKE, headers="stdlib.h stdint.h stddef.h")
form("aligned memory moved to its beginning",
     ALIGNED + " $T *b@ = ($T *)((char **)p@)[-1]; memmove(b@, p@, 2 * sizeof($T));", "b@[1]", TAKE, headers="stdlib.h stdint.h stddef.h string.h")
form("an address by a distance", "$T v@[2] = {$d, $d}, w@[2] = {$d, $x}; uintptr_t n@ = (uintptr_t)w@ - (uintptr_t)v@;",
     "*($T *)(((uintptr_t)(v@ + 1) + n@) & ~(uintptr_t)(three() - 3))", headers="stdint.h")
form("a table by an address", "$T a@[7] = {$d, $d, $d, $d, $d, $d, $d}, v@ = $d; size_t n@ = 4u + three();"
     " a@[(uintptr_t)&v@ / 8 % n@] = $x;", "a@[(uintptr_t)&v@ / 8 % n@]", headers="stdint.h stddef.h")
form("halves of an address", "$T v@ = $x, w@ = $d; uintptr_t n@ = (uintptr_t)three() << 30, l@ = (uintptr_t)&v@ % n@;",
     "*(n@ ? ($T *)((uintptr_t)&v@ / n@ * n@ + l@) : &w@)", headers="stdint.h")
form("an array that goes on in its like", "struct { $T a[2], b[2]; char c; } s@ = {{$d, $d}, {$d, $d}, 'c'};"
     " $T *p@ = s@.a; p@[three()] = $x;", "s@.b[1]")
form("two pointers in one", "$T v@ = $x, w@ = $d; uintptr_t n@ = (uintptr_t)&v@ ^ (uintptr_t)&w@;",
     "*($T *)(n@ ^ (uintptr_t)&w@)", headers="stdint.h")
form("bits by branches", "unsigned long n@ = (unsigned long)$x, m@ = 0; int i@; for (i@ = 0; i@ < 64; i@++)"
     " if (n@ >> i@ & 1) m@ |= 1ul << i@;", "($T)m@")
form("a table by bytes", "unsigned char t@[256]; unsigned long n@ = (unsigned long)$x, m@ = 0; int i@;"
     " for (i@ = 0; i@ < 256; i@++) t@[i@] = (unsigned char)i@; for (i@ = 0; i@ < 8; i@++)"
     " m@ |= (unsigned long)t@[n@ >> 8 * i@ & 255] << 8 * i@;", "($T)m@")
form("a choice by equality", "$T a@[2], v@ = $x; int i@; a@[0] = $d; a@[1] = v@; for (i@ = 0; a@[i@] != v@; i@++);",
     "a@[i@]")
