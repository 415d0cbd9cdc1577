# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Phases that are written out, as in specials.py: messages that functions start or complete which the program hands to
others, libraries' among them, and that objects of a framework exchange. What TOPS has of a phase stands before its
function, {4} is the phase's number; and of what ends with _CXX there are C++'s own ways."""

TOPS = {}

# A function goes through the neighbours, and calls what it is handed.
TOPS["CALLBACK"] = """
struct posting_{4} {{
MPI_Comm comm;
MPI_Request requests[4];
int posted, *in, *out;
}};
static void for_each_{4}(const int *peers, int count, void (*visit)(int, int, void *), void *data) {{
int at;
for (at = 0; at < count; at++)
visit(peers[at], at, data);
}}
static void post_{4}(int peer, int at, void *data) {{
struct posting_{4} *p = (struct posting_{4} *)data;
MPI_Irecv(p->in + at * {2}, {2}, MPI_INT, peer, {1} + at, p->comm, &p->requests[p->posted++]);
MPI_Isend(p->out + at * {2}, {2}, MPI_INT, peer, {1} + 1 - at, p->comm, &p->requests[p->posted++]);
}}
static void complete_{4}(int peer, int at, void *data) {{
struct posting_{4} *p = (struct posting_{4} *)data;
(void)peer;
MPI_Waitall(2, &p->requests[2 * at], MPI_STATUSES_IGNORE);
p->posted -= 2;
}}
"""
CALLBACK = """
static int in[2][{2}], out[2][{2}];
int peers[2] = {{before, after}};
struct posting_{4} posting;
void (*ways[2])(int, int, void *) = {{post_{4}, complete_{4}}};
fill_bytes(out, sizeof out, rank + step);
posting.comm = comm;
posting.posted = 0;
posting.in = in[0];
posting.out = out[0];
for (k = 0; k < 2; k++)
for_each_{4}(peers, 2, ways[k], &posting);
h = hash_number(hash_bytes(h, in, sizeof in), posting.posted);
"""

# What is left to do, with what it is to be done to.
TOPS["CLOSURES"] = """
struct closure_{4} {{
void (*run)(struct closure_{4} *);
void *buffer;
MPI_Request request;
hash_t *into;
}};
static void ignore_{4}(struct closure_{4} *it) {{ MPI_Wait(&it->request, MPI_STATUS_IGNORE); }}
static void look_{4}(struct closure_{4} *it) {{
MPI_Status s;
MPI_Wait(&it->request, &s);
*it->into = hash_status(hash_bytes(*it->into, it->buffer, {2} * sizeof(int)), &s, MPI_INT);
}}
"""
CLOSURES = """
struct closure_{4} left[4], *moved;
int n = 0;
static int in[2][{2}], out[{2}];
fill_bytes(out, sizeof out, rank + step);
for (k = 0; k < 2; k++) {{
struct closure_{4} receive = {{look_{4}, in[k], MPI_REQUEST_NULL, &h}}, send = {{ignore_{4}, NULL, MPI_REQUEST_NULL, &h}};
MPI_Irecv(in[k], {2}, MPI_INT, k ? after : before, {1} + k, comm, &receive.request);
MPI_Isend(out, {2}, MPI_INT, k ? before : after, {1} + k, comm, &send.request);
left[n++] = receive;
left[n++] = send;
}}
moved = (struct closure_{4} *)malloc(sizeof left);
memcpy(moved, left, sizeof left);
for (k = 0; k < n; k++)
moved[k].run(&moved[k]);
free(moved);
"""
TOPS["CLOSURES_CXX"] = """
#include <functional>
#include <memory>
static std::function<void()> receive_{4}(MPI_Comm comm, int peer, int tag, hash_t &into) {{
auto buffer = std::make_shared<std::vector<int>>({2});
MPI_Request request;
MPI_Irecv(buffer->data(), {2}, MPI_INT, peer, tag, comm, &request);
return [buffer, request, &into]() mutable {{
MPI_Status s;
MPI_Wait(&request, &s);
into = hash_status(hash_bytes(into, buffer->data(), {2} * sizeof(int)), &s, MPI_INT);
}};
}}
template <class F> static void all_of_{4}(std::vector<std::function<void()>> &left, F &&more) {{
left.emplace_back(std::forward<F>(more));
}}
"""
CLOSURES_CXX = """
static int out[{2}];
std::vector<std::function<void()>> left;
std::vector<MPI_Request> sends;
fill_bytes(out, sizeof out, rank + step);
auto send = [&, comm](int peer, int tag) {{
sends.emplace_back();
MPI_Isend(out, {2}, MPI_INT, peer, tag, comm, &sends.back());
}};
all_of_{4}(left, receive_{4}(comm, before, {1}, h));
all_of_{4}(left, receive_{4}(comm, after, {1} + 1, h));
send(after, {1});
send(before, {1} + 1);
all_of_{4}(left, [&] {{ MPI_Waitall((int)sends.size(), sends.data(), MPI_STATUSES_IGNORE); }});
for (auto &run : left)
run();
"""

# What a library's function orders by what a function of the program's reads of messages.
TOPS["COMPARATOR"] = """
struct ordered_{4} {{
int key, at;
MPI_Request request;
}};
static const int *keys_{4};
static int by_number_{4}(const void *left, const void *right) {{
int a = *(const int *)left, b = *(const int *)right;
return a < b ? -1 : a > b;
}}
static int by_key_{4}(const void *left, const void *right) {{
const struct ordered_{4} *a = (const struct ordered_{4} *)left, *b = (const struct ordered_{4} *)right;
int x = keys_{4}[a->key], y = keys_{4}[b->key];
return x < y ? -1 : x > y ? 1 : a->at - b->at;
}}
"""
COMPARATOR = """
static int in[6][{2}], out[6][{2}], keys[6];
struct ordered_{4} r[6];
MPI_Request s[6];
fill_bytes(out, sizeof out, rank + step);
for (k = 0; k < 6; k++) {{
qsort(out[k], {2}, sizeof(int), by_number_{4});
keys[k] = (k * 5 + {3}) % 6;
r[k].key = r[k].at = k;
MPI_Irecv(in[k], {2}, MPI_INT, before, {1} + k % 3, comm, &r[k].request);
MPI_Isend(out[k], {2}, MPI_INT, after, {1} + k % 3, comm, &s[k]);
}}
keys_{4} = keys;
qsort(r, 6, sizeof r[0], by_key_{4});
for (k = 0; k < 6; k++) {{
MPI_Wait(&r[k].request, MPI_STATUS_IGNORE);
h = hash_bytes(hash_number(h, r[k].at), in[r[k].at], sizeof in[0]);
qsort(in[r[k].at], {2}, sizeof(int), by_number_{4});
}}
MPI_Waitall(6, s, MPI_STATUSES_IGNORE);
h = hash_bytes(h, in, sizeof in);
"""
TOPS["COMPARATOR_CXX"] = "#include <algorithm>\n"
COMPARATOR_CXX = """
struct ordered {{
int key, at;
MPI_Request request;
}};
static int in[6][{2}], out[6][{2}];
std::vector<int> keys(6);
std::vector<ordered> r(6);
std::vector<MPI_Request> s(6);
fill_bytes(out, sizeof out, rank + step);
for (k = 0; k < 6; k++) {{
keys[k] = (k * 5 + {3}) % 6;
r[k].key = r[k].at = k;
MPI_Irecv(in[k], {2}, MPI_INT, before, {1} + k % 3, comm, &r[k].request);
MPI_Isend(out[k], {2}, MPI_INT, after, {1} + k % 3, comm, &s[k]);
}}
std::sort(r.begin(), r.end(), [&](const ordered &a, const ordered &b) {{ return keys[a.key] < keys[b.key]; }});
std::for_each(r.begin(), r.end(), [&](ordered &it) {{
MPI_Wait(&it.request, MPI_STATUS_IGNORE);
std::sort(in[it.at], in[it.at] + {2}, [](int a, int b) {{ return a > b; }});
h = hash_bytes(hash_number(h, it.at), in[it.at], sizeof in[0]);
}});
MPI_Waitall(6, s.data(), MPI_STATUSES_IGNORE);
"""

# Exchanges of several kinds behind one interface, made by their names.
TOPS["FRAMEWORK"] = """
struct exchange_{4} {{
const struct kind_{4} *kind;
MPI_Comm comm;
int to, from, *in, *out;
}};
struct kind_{4} {{
const char *name;
size_t bytes;
void (*start)(struct exchange_{4} *);
void (*finish)(struct exchange_{4} *);
}};
struct pending_{4} {{
struct exchange_{4} base;
MPI_Request requests[2];
}};
static void nothing_{4}(struct exchange_{4} *it) {{ (void)it; }}
static void both_{4}(struct exchange_{4} *it) {{
MPI_Sendrecv(it->out, {2}, MPI_INT, it->to, {1}, it->in, {2}, MPI_INT, it->from, {1}, it->comm, MPI_STATUS_IGNORE);
}}
static void start_{4}(struct exchange_{4} *it) {{
struct pending_{4} *p = (struct pending_{4} *)it;
MPI_Irecv(it->in, {2}, MPI_INT, it->from, {1}, it->comm, &p->requests[0]);
MPI_Isend(it->out, {2}, MPI_INT, it->to, {1}, it->comm, &p->requests[1]);
}}
static void finish_{4}(struct exchange_{4} *it) {{
MPI_Waitall(2, ((struct pending_{4} *)it)->requests, MPI_STATUSES_IGNORE);
}}
static const struct kind_{4} kinds_{4}[] = {{
{{"both", sizeof(struct exchange_{4}), nothing_{4}, both_{4}}},
{{"pending", sizeof(struct pending_{4}), start_{4}, finish_{4}}},
}};
static struct exchange_{4} *make_{4}(const char *name, MPI_Comm comm) {{
struct exchange_{4} *made;
int at = strcmp(kinds_{4}[0].name, name) != 0;
made = (struct exchange_{4} *)calloc(1, kinds_{4}[at].bytes);
made->kind = &kinds_{4}[at];
made->comm = comm;
return made;
}}
"""
FRAMEWORK = """
static int in[2][{2}], out[{2}];
fill_bytes(out, sizeof out, rank + step);
for (k = 0; k < 2; k++) {{
struct exchange_{4} *it = make_{4}((k + {3}) % 2 ? "both" : "pending", comm);
it->to = k ? before : after;
it->from = k ? after : before;
it->in = in[k];
it->out = out;
it->kind->start(it);
it->kind->finish(it);
free(it);
}}
h = hash_bytes(h, in, sizeof in);
"""
TOPS["FRAMEWORK_CXX"] = """
#include <map>
#include <memory>
#include <string>
namespace framework_{4} {{
class Exchange {{
public:
explicit Exchange(MPI_Comm comm) : comm(comm) {{}}
virtual ~Exchange() = default;
virtual void exchange(int to, int from, const std::vector<int> &out, std::vector<int> &in) = 0;
protected:
MPI_Comm comm;
}};
class Both : public Exchange {{
public:
using Exchange::Exchange;
void exchange(int to, int from, const std::vector<int> &out, std::vector<int> &in) override {{
MPI_Sendrecv(out.data(), (int)out.size(), MPI_INT, to, {1}, in.data(), (int)in.size(), MPI_INT, from, {1}, comm,
MPI_STATUS_IGNORE);
}}
}};
class Pending : public Exchange {{
public:
using Exchange::Exchange;
void exchange(int to, int from, const std::vector<int> &out, std::vector<int> &in) override {{
requests.resize(2);
MPI_Irecv(in.data(), (int)in.size(), MPI_INT, from, {1}, comm, &requests[0]);
MPI_Isend(out.data(), (int)out.size(), MPI_INT, to, {1}, comm, &requests[1]);
wait();
}}
protected:
virtual void wait() {{ MPI_Waitall((int)requests.size(), requests.data(), MPI_STATUSES_IGNORE); }}
std::vector<MPI_Request> requests;
}};
class Looking final : public Pending {{
using Pending::Pending;
void wait() override {{
for (int done = 0; !done;)
MPI_Testall((int)requests.size(), requests.data(), &done, MPI_STATUSES_IGNORE);
}}
}};
class Twice : public Exchange {{
public:
Twice(MPI_Comm comm, std::unique_ptr<Exchange> inner) : Exchange(comm), inner(std::move(inner)) {{}}
void exchange(int to, int from, const std::vector<int> &out, std::vector<int> &in) override {{
std::vector<int> first(in.size());
inner->exchange(to, from, out, first);
inner->exchange(to, from, first, in);
}}
private:
std::unique_ptr<Exchange> inner;
}};
using Maker = std::unique_ptr<Exchange> (*)(MPI_Comm);
template <class T> std::unique_ptr<Exchange> make(MPI_Comm comm) {{ return std::unique_ptr<Exchange>(new T(comm)); }}
static std::map<std::string, Maker> &makers() {{
static std::map<std::string, Maker> known{{{{"both", make<Both>}}, {{"pending", make<Pending>}}}};
return known;
}}
struct Registers {{
Registers() {{ makers()["looking"] = make<Looking>; }}
}};
static Registers registers;
}}
"""
FRAMEWORK_CXX = """
std::vector<int> in({2}), out({2});
const char *names[] = {{"both", "pending", "looking"}};
fill_bytes(out.data(), out.size() * sizeof(int), rank + step);
for (k = 0; k < 3; k++) {{
auto made = framework_{4}::makers().at(names[(k + {3}) % 3])(comm);
if (k == 1)
made.reset(new framework_{4}::Twice(comm, std::move(made)));
made->exchange(after, before, out, in);
h = hash_bytes(h, in.data(), in.size() * sizeof(int));
}}
"""

# A library of linear algebra, of which the tool sees no source, computes with what is sent and has been received.
TOPS["ALGEBRA"] = """
#ifndef ALGEBRA
#define ALGEBRA
#ifdef __cplusplus
extern "C" {{
#endif
void cblas_dcopy(int n, const double *x, int step_x, double *y, int step_y);
void cblas_daxpy(int n, double alpha, const double *x, int step_x, double *y, int step_y);
double cblas_ddot(int n, const double *x, int step_x, const double *y, int step_y);
#ifdef __cplusplus
}}
#endif
#endif
"""
ALGEBRA_SOURCE = """
#ifndef ALGEBRA
#define ALGEBRA
void cblas_dcopy(int n, const double *x, int step_x, double *y, int step_y) {
for (int i = 0; i < n; i++) y[i * step_y] = x[i * step_x];
}
void cblas_daxpy(int n, double alpha, const double *x, int step_x, double *y, int step_y) {
for (int i = 0; i < n; i++) y[i * step_y] += alpha * x[i * step_x];
}
double cblas_ddot(int n, const double *x, int step_x, const double *y, int step_y) {
double sum = 0;
for (int i = 0; i < n; i++) sum += x[i * step_x] * y[i * step_y];
return sum;
}
#endif
"""
ALGEBRA = """
double *in = (double *)malloc({2} * sizeof(double)), *out = (double *)malloc({2} * sizeof(double)), dot;
static double kept[{2}];
MPI_Request r[2];
for (k = 0; k < {2}; k++)
kept[k] = rank + step + k % 17;
cblas_dcopy({2}, kept, 1, out, 1);
MPI_Irecv(in, {2}, MPI_DOUBLE, before, {1}, comm, &r[0]);
MPI_Isend(out, {2}, MPI_DOUBLE, after, {1}, comm, &r[1]);
dot = cblas_ddot({2}, kept, 1, out, 1);
MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
cblas_daxpy({2}, 2.0, in, 1, out, 1);
dot += cblas_ddot({2}, in, 1, out, 1);
h = hash_bytes(hash_bytes(h, out, {2} * sizeof(double)), &dot, sizeof dot);
free(in);
free(out);
"""
