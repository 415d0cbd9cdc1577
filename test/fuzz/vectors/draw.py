# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of two units in which vectors of numbers go where the compiler has to know their type; and functions
that allocate for all tell where."""

import random

TYPES = ("std::vector<double>",) * 33 + ("Numbers",) * 7 + ("std::vector<Real>", "Values")
HEAD = """#include <algorithm>
#include <any>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mpi.h>
#include <numeric>
#include <string>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>
typedef double Real;
typedef std::vector<double> Values;
using Numbers = std::vector<double>;
extern double sum;
extern MPI_Aint told;
extern MPI_Request posted;
void message(const double *p);
inline void finish() {
  if (posted != MPI_REQUEST_NULL) MPI_Request_free(&posted);
}
inline void note(double **p) { told = reinterpret_cast<MPI_Aint>(*p); }
inline void ended(Values *v) { sum += v->size(); }
inline void each(void (*call)(void *), void *with) { call(with); }
template <class V> double any_sum(const V &v) { return v.empty() ? 0 : v[0] + v.size(); }
"""
# Classes, virtual functions and templates that vectors go through; $ is a vector of doubles.
CLASSES = """template <class T> struct Cell {
  explicit Cell(const std::vector<T> &v) : held(v) {}
  Cell(std::vector<T> &&v, int n) : held(std::move(v)) { held.resize(n + 2); }
  std::vector<T> &get() { return held; }
  const std::vector<T> &get() const { return held; }
  std::vector<T> copy() const;
  void put(const std::vector<T> &v) { held = v; }
  std::vector<T> held;
};
template <class T> std::vector<T> Cell<T>::copy() const { return held; }
template <class T> T first(const std::vector<T> &v) { return v.empty() ? T() : v[0]; }
template <class T> std::vector<T> twice(std::vector<T> v) {
  for (T &x : v)
    x *= 2;
  return v;
}
struct Rule {
  virtual ~Rule() {}
  virtual void apply($ &v) const = 0;
  virtual $ next(const $ &v) const { return v; }
};
struct Add : Rule {
  void apply($ &v) const override { v.push_back(1); }
};
struct Scale : Add {
  $ next(const $ &v) const override { return twice(v); }
};
struct View {
  View($ &v, int n) : of(v), n(n) {}
  $ &of;
  int n;
};
template <class T> struct Rows {
  explicit Rows(int n) : all(n, std::vector<T>(2)) {}
  std::vector<T> &row(int i) { return all[i]; }
  const std::vector<std::vector<T>> &get() const { return all; }
  std::vector<std::vector<T>> all;
};
struct Sides {
  Sides() { pair.fill($(2, 0.5)); }
  $ of[2];
  std::array<$, 2> pair;
};
inline double total(const std::vector<$> &all) {
  double result = 0;
  for (const $ &each : all)
    for (double x : each) result += x;
  return result;
}
"""
# What in some programs stands for the elements: a record that goes for a number.
RECORD = """struct Number {
  Number(double n = 0) : n(n), more(0) {}
  operator double &() { return n; }
  operator const double &() const { return n; }
  double n;
  int more;
};
inline void message(const Number *p) { message(&p->n); }
"""
MESSAGE = """double sum;
MPI_Aint told;
MPI_Request posted = MPI_REQUEST_NULL;
void message(const double *p) {
  MPI_Request request;
  double got = 0;
  MPI_Irecv(&got, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &request);
  MPI_Send(p, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  sum += got;
}
"""
# What may be done with $a and $b, lvalues of two vectors, without another type being seen; and what depends on it.
PLAIN = ("$a.push_back($n);", "$a.swap($b);", "std::swap($a, $b);", "if ($a == $b) sum += $n;",
         "if ($a < $b) sum += 1;",
         "for (double x : $a) sum += x;", "std::sort($a.begin(), $a.end());", "$a.assign(3, $n);", "$a[0] += $n;",
         "for (auto i = $a.begin(); i != $a.end(); ++i) *i += 1;",
         "$a.insert($a.end(), $b.begin(), $b.end());",
         "sum += std::accumulate($a.begin(), $a.end(), 0.0);", "$a.resize($a.size() + 1, $n);",
         "sum += [&] { return $a[0]; }();", "auto f = [$a] { return $a[0] + $a.size(); }; sum += f();",
         "std::sort(std::begin($a), std::end($a)); sum += std::size($b);", "switch ($a.size()) { case 4: $a = $b; }",
         "$a.erase($a.begin() + 1, $a.end());", "if (auto n = $a.size(); n > 2) $a.pop_back();",
         "auto at = std::find($a.begin(), $a.end(), $n); sum += at - $a.begin();",
         "Cell<double> c($a); c.put($b); sum += c.get()[0]; $a = c.copy();",
         "Cell<double> c(std::move($a), $n); $a.swap(c.get()); message($a.data());",
         "const Cell<double> c($a); sum += c.get().size(); $b = c.get();",
         "Cell<int> c(std::vector<int>(2, $n)); sum += c.copy()[1];",
         "sum += first($a); $b = twice($a);", "sum += first<double>($b);",
         "Scale rule; Rule &r = rule; r.apply($a); $b = r.next($a);", "Add rule; $a = rule.next($b);",
         "View view($a, $n); view.of.push_back(view.n);", "auto *c = new Cell<double>($b); $a = c->get(); delete c;",
         "for (auto &row : rows) row.push_back($n); sum += total(rows);",
         "std::vector<std::vector<double>> n(2, $a); n.push_back($b); n.emplace_back(3, 1.5); message(n[2].data());",
         "std::vector<Numbers> n; n.resize(3, $a); n.back() = $b; std::vector<Numbers> m = n; m.swap(n); $a = m.at(1);",
         "std::vector<std::vector<double>> n(3), m; n[1] = $b; m = n; if (n == m) sum += n.size(); $a.swap(m[1]);",
         "Rows<double> r(2); r.row(1) = $a; sum += total(r.get()); message(r.row(0).data());",
         "Sides s; s.of[0] = $a; for (auto &side : s.of) side.push_back($n); s.pair[1] = s.of[0]; $b = s.pair.back();",
         "std::vector<double> of[2] = {}, &last = of[1]; last = $a; std::swap(of[0], last); message(of[0].data());",
         "std::vector<std::array<std::vector<double>, 2>> n(2); n[1][0] = $a; for (auto &both : n) for (auto &v : both)"
         " v.resize(3, $n); message(n[0][1].data());",
         "std::vector<std::vector<double>> n; n.push_back(std::move($a)); n.push_back({1.0, 2.0}); $b = std::move(n[0]);",
         "auto n = rows; for (auto row : n) sum += row.size(); rows[0] = n[1]; rows.front().resize(4, $n);",
         "auto f = [&](int i) { rows[i].push_back($n); }; f(0); f(1);",
         "std::map<int, std::vector<double>> m; m[2] = $a; for (auto &p : m) p.second.push_back(p.first); $b = m.at(2);",
         "std::unordered_map<int, Numbers> m; m.emplace($n, $a); for (auto &[k, v] : m) { v.resize(k + 2);"
         " message(v.data()); } if (m.count($n) && m.find(0) == m.end()) $a.swap(m[$n]);",
         "for (auto &p : table) { sum += p.second.size(); p.second.push_back($n); }",
         "for (auto i = table.begin(); i != table.end(); ++i) i->second.push_back($n);",
         "if (auto i = table.find(1); i != table.end()) { sum += i->second.size(); i->second = $a; }",
         "std::vector<Numbers> n(2, $a); for (auto i = n.begin(), e = n.end(); i != e; ++i) i->push_back($n);"
         " auto at = n.begin() + 1; (*at) = $b; sum += at - n.begin(); n.erase(at); $a.swap(n[0]);",
         "std::map<int, std::vector<std::vector<double>>> m; m[1].resize(2, $b); auto n = m; sum += n[1][1][0];")
SEEN = ("Values *p = &$a; p->push_back($n);", "sum += any_sum($a);", "decltype($a) other = $b; sum += other.size();",
        "const Values &c = $a.size() > 2 ? $a : $b; sum += c[0];",
        "static_assert(sizeof($a) > 0); auto f = [v = $a] { return v; }; sum += f()[0];",
        "std::pair<Values, int> both($a, 1); sum += both.first[0];",
        "std::vector<Values> all; all.push_back($a); sum += all[0].size();", "$a.get_allocator();",
        "Values::iterator i = $a.begin(); sum += *i;", "($a = $b).push_back(1);",
        "std::vector<Cell<double>> all; all.emplace_back($a); sum += all[0].get()[0];",
        "auto f = first<double>; sum += f($a);", "auto f = &Rule::next; sum += (Add().*f)($b)[0];",
        "std::vector<View> all{{$a, 1}}; all.emplace_back($b, 2); sum += all[1].of[0];",
        "sum += std::is_constructible<Cell<double>, Values>::value;", "Cell<char> c(std::string(\"x\").size()"
        " ? std::vector<char>(2, 'y') : std::vector<char>()); sum += c.get()[0];",
        "Cell<std::string> c(std::vector<std::string>(2)); sum += c.copy()[1].size();",
        "void *p = &$a; static_cast<Values *>(p)->push_back($n);",
        "std::map<int, std::vector<double>> m; m.insert({1, $a}); message(m[1].data());",
        "std::map<int, Values>::iterator i = table.find(1); if (i != table.end()) sum += i->second.size();",
        "auto i = rows.begin(), e = rows.end(); std::sort(i, e, [](const Values &x, const Values &y)"
        " { return x.size() < y.size(); });", "auto i = rows.begin(), e = rows.end(); std::reverse(i, e);",
        "auto i = rows.begin(), e = rows.end(); std::vector<Numbers> n(i, e); n.insert(n.end(), i, e);",
        "auto i = rows.begin(), e = rows.end(); auto at = std::find(i, e, $a); if (at != e) at->push_back($n);",
        "auto i = rows.begin(); i->swap(rows[1]);", "auto i = rows.begin(); std::vector<double> *p = &*i; p->push_back($n);",
        "std::vector<Numbers> n(2, $a); std::sort(n.begin(), n.end(), [](const Values &x, const Values &y)"
        " { return x.size() < y.size(); });",
        "for (auto &p : table) sum += any_sum(p.second);", "for (auto &p : table) { auto *q = &p; q->second = $a; }",
        "for (std::pair<const int, std::vector<double>> &p : table) p.second.push_back($n);",
        "std::map<std::vector<double>, std::vector<double>> m; m[$a] = $b; sum += m.size();",
        "std::vector<std::vector<double>> n{$a, $b}; message(n[1].data());",
        "std::vector<std::vector<double>> n(2, $a), m(n.begin(), n.end()); message(m[1].data());",
        "for (auto *p = rows.data(); p != rows.data() + 2; ++p) p->push_back($n);",
        "std::vector<double> *p = &rows[1]; p->push_back($n);", "sum += any_sum(rows[0]);",
        "auto f = [&] { return rows[0]; }; sum += f().size();", "Rows<std::vector<double>> r(0); r.all.resize(2);"
        " r.row(1).push_back($a); sum += r.get()[1].size();",
        "std::vector<double> of[2]; of[0] = $a; auto &[x, y] = of; y = x; message(of[1].data());",
        "std::array<std::vector<double>, 2> both{{$a, $b}}; sum += std::get<1>(both).size();",
        "std::vector<double> of[2]; of[1] = $b; std::vector<double> *p = of; p[1].push_back($n); message(of[1].data());",
        "decltype(rows)::value_type v = $a; v.push_back($n); message(v.data());",
        "const auto &row = sum > 2 ? rows[0] : rows[1]; sum += row.size();",
        "void *p = &$a; (*(const std::vector<double> *)p).size() > 3 ? sum += 1 : sum += 2;",
        "each([](void *p) { static_cast<Values *>(p)->push_back($n); }, &$a);",
        "std::shared_ptr<void> p(&$a, [](void *) {}); std::static_pointer_cast<Values>(p)->push_back($n);",
        "__attribute__((cleanup(ended))) std::vector<double> v = $a; v.push_back($n); message(v.data());",
        "std::any p = &$a; std::any_cast<Values *>(p)->push_back($n);",
        "char place[sizeof(Values *)]; Values *p = &$a; std::memcpy(place, &p, sizeof p);"
        " Values *q; std::memcpy(&q, place, sizeof q); q->push_back($n);")
# What a function that allocates for all does with the memory $p of $n elements; and what tells of its place.
QUIET = ("std::memset($p, 0, $n * sizeof *$p);", "for (int i = 0; i < $n; i++) $p[i] = i;", "sum += $n;",
         "MPI_Bcast($p, $n, MPI_DOUBLE, 0, MPI_COMM_SELF);", "MPI_Barrier(MPI_COMM_SELF);")
TELLING = ("MPI_Get_address($p, &told);", "told = reinterpret_cast<MPI_Aint>($p);",
           "MPI_Irecv($p, 1, MPI_DOUBLE, 0, 2, MPI_COMM_SELF, &posted);",
           "MPI_Recv_init($p, 1, MPI_DOUBLE, 0, 2, MPI_COMM_SELF, &posted); MPI_Start(&posted);",
           'char text[32]; std::snprintf(text, sizeof text, "%p", (void *)$p);'
           ' told = std::strtoul(text, nullptr, 16);')
# A child that has a copy of the program's memory, and changes it.
CHILD = "if (pid_t child = _Fork()) { waitpid(child, nullptr, 0); } else { $a[0] = -5; $b[0] = -7; _exit(0); }"


class Function:
    def __init__(self, name, result, parameters, constant):
        self.name, self.result, self.parameters, self.constant = name, result, parameters, constant

    def head(self, spell, scope=""):
        names = [f"{kind.replace('$', spell())} p{number}" for number, kind in enumerate(self.parameters)]
        head = f"{self.result.replace('$', spell())} {scope}{self.name}({', '.join(names)})"
        return head + (" const" if self.constant else "")


class Draw:
    """One program; the seed alone makes it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        # In most programs nothing looks at types: there all that may move has to.
        self.looks = self.random.random() < 0.5
        self.records = self.random.random() < 0.3
        self.number = 0
        self.splits = self.random.random() < 0.1
        self.globals = [f"g{n}" for n in range(self.random.randint(1, 3))]
        self.members = [f"m{n}" for n in range(self.random.randint(1, 3))]
        kinds = ("$", "const $ &", "$ &", "$ &&")
        self.functions = [Function(f"f{n}", self.random.choice(("$", "$", "$ &", "const $ &", "void")),
                                   self.random.choices(kinds, k=self.random.randint(0, 2)), False)
                          for n in range(self.random.randint(2, 5))]
        self.methods = [Function(f"get{n}", self.random.choice(("$", "$ &", "const $ &")), [], False)
                        for n in range(self.random.randint(1, 2))]
        self.allocators = [f"take{n}" for n in range(self.random.randint(0, 2))]

    def spell(self):
        return self.random.choice(TYPES if self.looks else TYPES[:40])

    def fresh(self):
        self.number += 1
        return f"v{self.number}"

    def lvalue(self, names):
        """A vector that may be changed."""
        return self.random.choice(names + self.globals + [f"box.{m}" for m in self.members]
                                  + [f"box.{f.name}()" for f in self.methods if f.result == "$ &"]
                                  + [f"rows[{self.random.randint(0, 1)}]", "table[1]"])

    def argument(self, kind, names, depth):
        if kind == "$ &":
            return self.lvalue(names)
        if kind == "$ &&":
            return self.random.choice((f"std::move({self.lvalue(names)})", self.made(names, depth + 1)))
        return self.random.choice((self.lvalue(names), self.value(names, depth + 1)))

    def made(self, names, depth=0):
        """A vector that is a value of its own."""
        calls = [f for f in self.functions if f.result == "$" and depth < 2]
        if calls and self.random.random() < 0.6:
            return self.call(self.random.choice(calls), names, depth)
        return f"{self.spell()}{self.random.choice(('(3, 1.5)', '{1.0, 2.0}', '(4, 2.0)'))}"

    def call(self, function, names, depth=0):
        return f"{function.name}({', '.join(self.argument(k, names, depth) for k in function.parameters)})"

    def value(self, names, depth=0):
        calls = [f for f in self.functions if f.result != "void"] if depth < 2 else []
        choice = self.random.random()
        if calls and choice < 0.4:
            return self.call(self.random.choice(calls), names, depth)
        if choice < 0.6:
            return self.made(names, depth)
        return f"box.{self.random.choice(self.methods).name}()" if choice < 0.7 else self.lvalue(names)

    def statement(self, names):
        """The text of one statement; a variable that it declares is added to names."""
        choice = self.random.random()
        if choice < 0.25:
            name = self.fresh()
            how = self.random.choice((f"auto {name} = {self.made(names)};",
                                      f"{self.spell()} {name} = {self.value(names)};",
                                      f"{self.spell()} {name}({self.value(names)});",
                                      f"{self.spell()} {name}(3, 2.5);",
                                      f"auto &{name} = {self.lvalue(names)};"))
            names.append(name)
            return how
        if choice < 0.45:
            return f"{self.lvalue(names)} = {self.value(names)};"
        if choice < 0.55:
            return f"{self.call(self.random.choice(self.functions), names)};"
        if choice < 0.75:
            # What was moved from has no elements.
            return f"if (auto &m = {self.lvalue(names)}; !m.empty()) message(m.data());"
        if self.allocators and choice < 0.8:
            return self.taken()
        if self.splits and choice < 0.85:
            both = f"auto &a = {self.lvalue(names)}; auto &b = {self.lvalue(names)};"
            return f"{{ {both} if (!a.empty() && !b.empty()) {{ {CHILD.replace('$', '')} }} }}"
        pick = SEEN if self.looks and self.random.random() < 0.08 else PLAIN
        text = self.random.choice(pick).replace("$n", str(self.random.randint(1, 9))).replace("$", "")
        both = f"auto &a = {self.lvalue(names)}; auto &b = {self.lvalue(names)};"
        return f"{{ {both} if (a.size() > 1 && b.size() > 1) {{ {text} }} }}"

    def taken(self):
        """Memory of an allocator's, for a message or not; where the allocator has told of it, that is its place."""
        use = self.random.choice(("message(p);", "message(p);", "sum += p[1];"))
        return (f"{{ told = 0; double *p = {self.random.choice(self.allocators)}({self.random.randint(2, 9)});"
                " if (told) sum += told == reinterpret_cast<MPI_Aint>(p);"
                " if (posted != MPI_REQUEST_NULL) { double x = 5; MPI_Send(&x, 1, MPI_DOUBLE, 0, 2, MPI_COMM_SELF);"
                " MPI_Wait(&posted, MPI_STATUS_IGNORE); sum += p[0]; finish(); }"
                f" p[0] = 1; p[1] = 2; {use} std::free(p); }}")

    def allocator(self, name):
        """The function of that name: it allocates, and does something more with the memory."""
        picks = self.random.choices(QUIET, k=self.random.randint(0, 2))
        if self.random.random() < 0.4:
            picks.insert(self.random.randint(0, len(picks)), self.random.choice(TELLING))
        lines = "".join(f"  {{ {pick.replace('$', '')} }}\n" for pick in picks)
        made = self.random.choice(("static_cast<double *>(std::malloc(n * sizeof(double)))",
                                   "(double *)std::calloc(n, sizeof(double))"))
        noted = "__attribute__((cleanup(note))) " if self.random.random() < 0.1 else ""
        return f"double *{name}(int n) {{\n  {noted}double *p = {made};\n{lines}  return p;\n}}\n"

    def body(self, function, scope=""):
        names = [f"p{number}" for number, kind in enumerate(function.parameters) if not kind.startswith("const")]
        box = "Box &box = *this; " if scope else ""
        lines = [f"  {box}if (++depth > 4) {{ --depth; {self.leave(function)} }}"]
        lines += [f"  {self.statement(names)}" for _ in range(self.random.randint(1, 3))]
        end = "" if function.result == "void" else f" {self.leave(function)}"
        if function.result == "$" and self.random.random() < 0.7:
            end = f" return {self.random.choice([n for n in names if n[0] == 'v'] or self.globals)};"
        return f"{function.head(self.spell, scope)} {{\n" + "\n".join(lines) + f"\n  --depth;{end}\n}}\n"

    def leave(self, function):
        if function.result == "void":
            return "return;"
        if function.result == "$":
            return self.random.choice((f"return {self.spell()}(3, 1.0);", "return {1.0, 2.0};", "return g0;"))
        return f"return {self.random.choice(self.globals)};"

    def sources(self):
        """{name: text} of its files."""
        methods = "".join(f"  {m.head(self.spell)};\n" for m in self.methods)
        classes = "".join(self.spell() if c == "$" else c for c in CLASSES)
        header = ("#pragma once\n" + HEAD + classes + "extern int depth;\n"
                  + "".join(f"double *{name}(int n);\n" for name in self.allocators)
                  + "".join(f"extern {self.spell()} {g};\n" for g in self.globals)
                  + f"extern std::vector<{self.spell()}> rows;\nextern std::map<int, {self.spell()}> table;\n" + "struct Box {\n" + "".join(f"  {self.spell()} {m}{{1.0, 2.0, 3.0}};\n" for m in self.members)
                  + methods + "};\nextern Box box;\n" + "".join(f"{f.head(self.spell)};\n" for f in self.functions))
        units = ['#include "all.h"\n' + MESSAGE + "int depth;\nBox box;\n", '#include "all.h"\n']
        for name in self.globals:
            first = self.random.choice(("(3, 1.0)", "{4.0, 5.0}"))
            units[self.random.randint(0, 1)] += f"{self.spell()} {name}{first};\n"
        units[self.random.randint(0, 1)] += f"std::vector<{self.spell()}> rows(2);\n"
        units[self.random.randint(0, 1)] += f"std::map<int, {self.spell()}> table;\n"
        for method in self.methods:
            units[self.random.randint(0, 1)] += self.body(method, "Box::")
        for function in self.functions:
            units[self.random.randint(0, 1)] += self.body(function)
        for name in self.allocators:
            units[self.random.randint(0, 1)] += self.allocator(name)
        names = []
        lines = "".join(f"  {self.statement(names)}\n" for _ in range(self.random.randint(6, 14)))
        units[0] += ("int main(int argc, char **argv) {\n  MPI_Init(&argc, &argv);\n" + lines
                     + '  std::printf("%.17g\\n", sum);\n  MPI_Finalize();\n}\n')
        files = {"all.h": header, "a.cpp": units[0], "b.cpp": units[1]}
        if not self.records:
            return files
        files["all.h"] = header.replace("typedef double Real;", "typedef struct Number Real;").replace(
            "template <class T> struct Cell", RECORD + "template <class T> struct Cell", 1)
        for name, text in files.items():
            for of in ("std::vector", "Cell", "Rows", "first"):
                text = text.replace(f"{of}<double>", f"{of}<Number>")
            files[name] = text
        return files
