# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forms of C++ (see c_forms.py)."""

from c_forms import FORMS, form


def cxx(name, body, out, top="", headers="", **more):
    form(name, body, out, top, headers=headers, language="c++", **more)


cxx("a vector's element", "std::vector<$T> a@(3, $d); a@[three() - 1] = $x;", "a@.back()", headers="vector")
cxx("push_back", "std::vector<$T> a@; for (int i = 0; i < 9; i++) a@.push_back($d); a@.push_back($x);", "a@.at(9)",
    headers="vector")
cxx("a vector of records", "struct S@ { int n; $T v; }; std::vector<S@> a@; a@.push_back({1, $d});"
    " a@.emplace_back(S@{2, $x});", "a@[1].v", headers="vector")
cxx("a map's value", "std::map<int, $T> m@; m@[1] = $d; m@[2] = $x;", "m@.find(2)->second", headers="map")
cxx("emplace", "std::map<int, $T> m@; m@.emplace(1, $d); m@.emplace(2, $x);", "m@.at(2)", headers="map")
cxx("try_emplace", "std::map<int, $T> m@; m@.try_emplace(2, $x); m@.try_emplace(2, $d);", "m@.begin()->second",
    headers="map")
cxx("insert_or_assign", "std::map<int, $T> m@; m@.insert_or_assign(2, $d); m@.insert_or_assign(2, $x);",
    "m@.rbegin()->second", headers="map")
cxx("a map's key", "std::map<$T, int> m@; m@.emplace($x, 1);", "m@.begin()->first", headers="map")
cxx("a set", "std::set<$T> m@; m@.insert($x);", "*m@.begin()", headers="set")
cxx("a multimap", "std::multimap<int, $T> m@; m@.insert({1, $d}); m@.insert(std::make_pair(4, $x));",
    "m@.equal_range(4).first->second", headers="map")
cxx("an unordered map", "std::unordered_map<int, $T> m@; m@.emplace(1, $d); m@[2] = $x;", "m@.at(2)",
    headers="unordered_map")
cxx("an unordered set", "std::unordered_set<$T> m@; m@.insert($x);", "*m@.begin()", headers="unordered_set")
cxx("a node that is moved", "std::map<int, $T> m@, n@; m@.emplace(1, $x); n@.insert(m@.extract(1));", "n@[1]",
    headers="map")
cxx("any", "std::any a@ = $x;", "std::any_cast<$T>(a@)", headers="any")
cxx("a large any", "struct S@ { long n[4]; $T v; }; std::any a@ = S@{{}, $x};", "std::any_cast<S@ &>(a@).v",
    headers="any")
cxx("optional", "std::optional<$T> o@; o@ = $x;", "o@.value_or($d)", headers="optional")
cxx("variant", "std::variant<double, $T> o@ = 1.5; o@.template emplace<1>($x);", "std::get<1>(o@)",
    headers="variant")
cxx("visit", "std::variant<double, $T> o@{std::in_place_index<1>, $x}; $T v@ = $d; std::visit([&](auto &e) {"
    " if constexpr (std::is_same_v<std::decay_t<decltype(e)>, $T>) v@ = e; }, o@);", "v@",
    headers="variant type_traits")
cxx("a tuple", "auto t@ = std::make_tuple($d, 1.5, $x);", "std::get<2>(t@)", headers="tuple")
cxx("tie", "$T v@ = $d; int n@; std::tie(n@, v@) = std::make_pair(4, $x);", "v@", headers="tuple")
cxx("structured bindings", "std::pair<int, $T> p@{1, $x}; auto &[n@, v@] = p@; (void)n@;", "v@", headers="utility")
cxx("std::array", "std::array<$T, 3> a@{}; a@.fill($d); a@[1] = $x;", "*std::next(a@.begin())",
    headers="array iterator")
cxx("a deque", "std::deque<$T> a@; a@.push_front($d); a@.push_back($x);", "a@.back()", headers="deque")
cxx("a list", "std::list<$T> a@; a@.push_front($x); a@.push_front($d);", "a@.back()", headers="list")
cxx("a spliced list", "std::list<$T> a@, b@; a@.push_front($x); b@.push_front($d); b@.splice(b@.begin(), a@);",
    "b@.front()", headers="list")
cxx("a forward list", "std::forward_list<$T> a@; a@.push_front($x);", "a@.front()", headers="forward_list")
cxx("a queue", "std::queue<$T> a@; a@.push($x); a@.push($d);", "a@.front()", headers="queue")
cxx("a priority queue", "std::priority_queue<std::pair<int, $T>> a@; a@.push({1, $d}); a@.push({3, $x});",
    "a@.top().second", headers="queue")
cxx("unique_ptr", "auto p@ = std::make_unique<$T>($x);", "*p@", headers="memory")
cxx("shared_ptr", "auto p@ = std::make_shared<$T>($x); auto q@ = p@;", "*q@", headers="memory")
cxx("shared_ptr<void>", "std::shared_ptr<void> p@ = std::make_shared<$T>($x);", "*static_cast<$T *>(p@.get())",
    headers="memory")
cxx("weak_ptr", "auto p@ = std::make_shared<$T>($x); std::weak_ptr<$T> w@ = p@;", "*w@.lock()", headers="memory")
cxx("an aliasing shared_ptr", "struct S@ { int n; $T v; }; auto p@ = std::make_shared<S@>(S@{1, $x});"
    " std::shared_ptr<$T> q@(p@, &p@->v);", "*q@", headers="memory")
cxx("a deleter", "{ std::unique_ptr<$T, void (*)($T *)> p@(new $T($x), drop@); }", "dropped@",
    "static $T dropped@ = $g; static void drop@($T *p) { dropped@ = *p; delete p; }", headers="memory")
cxx("a function object", "$T v@ = $x; std::function<$T()> f@ = [v@] { return v@; };", "f@()", headers="functional")
cxx("a large function object", "struct S@ { long n[6]; $T v; } s@{{}, $x}; std::function<$T()> f@ = [s@] {"
    " return s@.v; };", "f@()", headers="functional")
cxx("bind", "auto f@ = std::bind([](int, $T v) { return v; }, 1, $x);", "f@()", headers="functional")
cxx("a placeholder", "auto f@ = std::bind([](int, $T v) { return v; }, std::placeholders::_2, std::placeholders::_1);",
    "f@($x, 1)", headers="functional")
cxx("mem_fn", "struct S@ { $T v; $T get() const { return v; } }; S@ s@{$x};", "std::mem_fn(&S@::get)(s@)",
    headers="functional")
cxx("invoke", "struct S@ { $T v; }; S@ s@{$x};", "std::invoke(&S@::v, s@)", headers="functional")
cxx("apply", "auto t@ = std::make_tuple(1, $x);", "std::apply([](int, $T v) { return v; }, t@)", headers="tuple")
cxx("a lambda by value", "$T v@ = $x; auto f@ = [v@] { return v@; };", "f@()")
cxx("a lambda by reference", "$T v@ = $d; auto f@ = [&](auto w) { v@ = w; }; f@($x);", "v@")
cxx("a lambda with a state", "auto f@ = [v = $d](auto w) mutable { auto old = v; v = w; return old; }; f@($x);",
    "f@($d)")
cxx("a lambda as pointer", "$T (*f@)($T) = +[]($T v) { return v; };", "f@($x)")
cxx("a virtual function", "D@ d@($x); B@ *b@ = &d@;", "b@->get()",
    "struct B@ { virtual $T get() = 0; virtual ~B@() = default; };"
    " struct D@ : B@ { $T v; explicit D@($T w) : v(w) {} $T get() override { return v; } };")
cxx("a virtual base", "D@ d@; d@.v = $x; L@ *l@ = &d@;", "l@->v",
    "struct B@ { $T v = $g; virtual ~B@() = default; }; struct L@ : virtual B@ {}; struct R@ : virtual B@ {};"
    " struct D@ : L@, R@ {};")
cxx("dynamic_cast", "D@ d@; d@.v = $x; A@ *a@ = &d@; B@ *b@ = dynamic_cast<B@ *>(a@);", "b@->v",
    "struct A@ { int n = 1; virtual ~A@() = default; }; struct B@ { $T v = $g; virtual ~B@() = default; };"
    " struct D@ : A@, B@ {};")
cxx("a base without virtual functions", "D@ d@; d@.v = $x; B@ &b@ = d@;", "static_cast<D@ &>(b@).v",
    "struct A@ { int n = 1; }; struct B@ { $T w = $g; }; struct D@ : A@, B@ { $T v = $g; };")
cxx("a curiously recurring template", "D@ d@; d@.v = $x;", "d@.get()",
    "template <class T> struct C@ { auto get() { return static_cast<T *>(this)->v; } };"
    " struct D@ : C@<D@> { $T v = $g; };")
cxx("a pointer to a data member", "struct S@ { $T a, b; } s@{$d, $x}; $T S@::*p@ = three() ? &S@::b : &S@::a;",
    "s@.*p@")
cxx("a pointer to a member function", "struct S@ { $T v; $T no() { return $g; } $T yes() { return v; } } s@{$x};"
    " $T (S@::*p@)() = three() ? &S@::yes : &S@::no;", "(s@.*p@)()")
cxx("a pointer to a virtual member function", "D@ d@; d@.v = $x; $T (B@::*p@)() = &B@::yes;",
    "(static_cast<B@ &>(d@).*p@)()",
    "struct B@ { virtual $T no() { return $g; } virtual $T yes() { return $g; } virtual ~B@() = default; };"
    " struct D@ : B@ { $T v = $g; $T yes() override { return v; } };")
cxx("an exception", "$T v@ = $d; try { struct E { $T v; }; throw E{$x}; } catch (...) { v@ = $x; }", "v@")
cxx("a value thrown", "$T v@ = $d; try { throw E@{$x}; } catch (const E@ &e) { v@ = e.v; }", "v@",
    "struct E@ { $T v; };")
cxx("a pointer thrown", "$T v@ = $x, w@ = $d; try { throw &v@; } catch ($T *e) { w@ = *e; }", "w@")
cxx("an exception kept", "std::exception_ptr p@; $T v@ = $d; try { throw E@{$x}; } catch (...) {"
    " p@ = std::current_exception(); } try { std::rethrow_exception(p@); } catch (E@ &e) { v@ = e.v; }", "v@",
    "struct E@ { $T v; };", headers="exception")
cxx("a coroutine", "G@ g@ = make@($x);", "g@.h.promise().v",
    "struct G@ { struct promise_type { $T v = $g; G@ get_return_object() {"
    " return {std::coroutine_handle<promise_type>::from_promise(*this)}; } std::suspend_never initial_suspend() {"
    " return {}; } std::suspend_always final_suspend() noexcept { return {}; } void return_value($T w) { v = w; }"
    " void unhandled_exception() {} }; std::coroutine_handle<promise_type> h; };"
    " static G@ make@($T v) { co_return v; }", headers="coroutine")
cxx("a coroutine that waits", "G@ g@ = make@($x); g@.h.resume(); g@.h.resume();", "g@.h.promise().v",
    "struct G@ { struct promise_type { $T v = $g; G@ get_return_object() {"
    " return {std::coroutine_handle<promise_type>::from_promise(*this)}; } std::suspend_always initial_suspend() {"
    " return {}; } std::suspend_always final_suspend() noexcept { return {}; } std::suspend_always yield_value($T w) {"
    " v = w; return {}; } void return_void() {} void unhandled_exception() {} };"
    " std::coroutine_handle<promise_type> h; }; static G@ make@($T v) { co_yield $g; co_yield v; }",
    headers="coroutine")
cxx("std::thread", "$T v@ = $d; std::thread t@([&v@](auto w) { v@ = w; }, $x); t@.join();", "v@", headers="thread")
cxx("async", "$T w@ = $x; auto f@ = std::async(std::launch::deferred, [w@] { return w@; });", "f@.get()",
    headers="future")
cxx("a promise", "std::promise<$T> p@; p@.set_value($x);", "p@.get_future().get()", headers="future")
cxx("std::atomic", "std::atomic<$T> a@{$d}; a@.exchange($x);", "a@.load()", headers="atomic")
cxx("an atomic reference", "$T v@ = $d; std::atomic_ref<$T>(v@).store($x);", "v@", headers="atomic")
cxx("call_once", "std::once_flag o@; $T v@ = $d, w@ = $x; std::call_once(o@, [&] { v@ = w@; });", "v@",
    headers="mutex")
cxx("bit_cast", "auto b@ = std::bit_cast<std::array<char, sizeof($T)>>($T($x));", "std::bit_cast<$T>(b@)",
    headers="bit array")
cxx("placement new", "alignas(8) char b@[40]; new (b@ + 8) $T($x);", "*std::launder(reinterpret_cast<$T *>(b@ + 8))",
    headers="new")
cxx("new of an array", "$T *a@ = new $T[3]{$d, $x, $d};", "a@[1]")
cxx("an operator new of the class", "C@ *c@ = new C@{$x};", "c@->v",
    "static char pool@[100]; struct C@ { $T v; static void *operator new(std::size_t) { return pool@ + 16; }"
    " static void operator delete(void *) {} };", headers="cstddef")
cxx("a span", "$T a@[3] = {$d, $x, $d}; std::span<$T> s@(a@); auto t@ = s@.subspan(1);", "t@.front()",
    headers="span")
cxx("a view", "std::vector<$T> a@{$d, $x}; auto v@ = a@ | std::views::drop(1) | std::views::transform([](auto e) {"
    " return e; });", "*v@.begin()", headers="ranges vector")
cxx("a projection", "struct S@ { int k; $T v; }; std::vector<S@> a@{{5, $d}, {2, $x}};"
    " std::ranges::sort(a@, {}, &S@::k);", "a@.front().v", headers="algorithm vector functional")
cxx("a sort", "std::vector<std::pair<int, $T>> a@{{5, $d}, {2, $x}}; std::sort(a@.begin(), a@.end(),"
    " [](auto &l, auto &r) { return l.first < r.first; });", "a@[0].second", headers="algorithm vector utility")
cxx("a rotation", "std::array<$T, 3> a@{$d, $d, $x}; std::rotate(a@.begin(), a@.begin() + 2, a@.end());", "a@[0]",
    headers="algorithm array")
cxx("copy_if", "std::vector<$T> a@{$x}, b@; std::copy_if(a@.begin(), a@.end(), std::back_inserter(b@),"
    " [](auto) { return true; });", "b@.front()", headers="algorithm vector iterator")
cxx("transform", "std::vector<int> a@{1}; std::vector<$T> b@(1, $d); $T v@ = $x; std::transform(a@.begin(), a@.end(),"
    " b@.begin(), [&](int) { return v@; });", "b@[0]", headers="algorithm vector")
cxx("for_each", "std::vector<$T> a@{$x}; $T v@ = $d; std::for_each(a@.begin(), a@.end(), [&](auto e) { v@ = e; });",
    "v@", headers="algorithm vector")
cxx("accumulate", "std::vector<$T> a@{$x}; $T v@ = std::accumulate(a@.begin(), a@.end(), $T($d), [](auto, auto e) {"
    " return e; });", "v@", headers="numeric vector")
cxx("a string's bytes", "$T v@ = $x, w@ = $d; std::string s@(reinterpret_cast<char *>(&v@), sizeof v@); s@ += 'x';"
    " std::memcpy(&w@, s@.data(), sizeof w@);", "w@", headers="string cstring")
cxx("a string view of bytes", "$T v@ = $x, w@ = $d; std::string_view s@(reinterpret_cast<char *>(&v@), sizeof v@);"
    " std::copy(s@.begin(), s@.end(), reinterpret_cast<char *>(&w@));", "w@", headers="string_view algorithm")
cxx("an initialiser list", "$T v@ = last@({$d, $x});", "v@",
    "static $T last@(std::initializer_list<$T> l) { return *(l.end() - 1); }", headers="initializer_list")
cxx("an aggregate in parentheses", "struct S@ { int n; $T v; }; S@ s@(1, $x);", "s@.v")
cxx("designated initialisers", "struct S@ { int n; $T v; }; S@ s@{.n = 1, .v = $x};", "s@.v")
cxx("a conversion function", "struct S@ { $T v; operator $T() const { return v; } }; S@ s@{$x}; $T v@ = s@;", "v@")
cxx("an arrow of its own", "struct S@ { $T v; S@ *operator->() { return this; } }; S@ s@{$x};", "s@->v")
cxx("an index of its own", "struct S@ { $T v; $T &operator[](int) { return v; } }; S@ s@{$d}; s@[3] = $x;", "s@[4]")
cxx("a parameter pack", "$T v@ = last@(1, 2.5, $x);", "v@",
    "template <class T> static T last@(T v) { return v; }"
    " template <class T, class... R> static auto last@(T, R... r) { return last@(r...); }")
cxx("a fold", "$T v@ = $d; auto f@ = [&](auto... e) { ((v@ = e), ...); }; f@($d, $x);", "v@")
cxx("a variable of a template", "own@<$T> = $x;", "own@<$T>", "template <class T> static T own@ = $g;")
cxx("an inline variable", "own@ = $x;", "own@", "inline $T own@ = $g;")
cxx("a static variable of a function", "at@() = $x;", "at@()",
    "static $T &at@() { static $T v = $g; return v; }")
cxx("a variable of a thread in C++", "own@ = $x;", "own@", "static thread_local $T own@ = $g;")
cxx("a member that is static", "S@::v = $x;", "S@::v", "struct S@ { static $T v; }; $T S@::v = $g;")
cxx("a resource of memory", "std::pmr::monotonic_buffer_resource r@; std::pmr::vector<$T> a@(&r@);"
    " a@.push_back($d); a@.push_back($x);", "a@[1]", headers="memory_resource vector")
cxx("an allocator", "std::vector<$T, A@<$T>> a@; a@.push_back($d); a@.push_back($x);", "a@[1]",
    "template <class T> struct A@ { using value_type = T; A@() = default; template <class U> A@(const A@<U> &) {}"
    " T *allocate(std::size_t n) { return static_cast<T *>(std::malloc(n * sizeof(T))); }"
    " void deallocate(T *p, std::size_t) { std::free(p); } bool operator==(const A@ &) const { return true; } };",
    headers="vector cstdlib")
cxx("a reference wrapper", "$T v@ = $x, w@ = $d; std::reference_wrapper<$T> r@ = w@; r@ = v@;", "r@.get()",
    headers="functional")
cxx("exchange and swap", "$T v@ = $d, w@ = $x; std::swap(v@, w@); w@ = std::exchange(v@, $d);", "w@",
    headers="utility")
cxx("type erasure", "E@ e@($x); E@ f@ = std::move(e@);", "f@.p->get()",
    "struct E@ { struct I { virtual $T get() = 0; virtual ~I() = default; }; template <class T> struct M : I { T v;"
    " explicit M(T w) : v(w) {} $T get() override { return v; } }; std::unique_ptr<I> p;"
    " template <class T> explicit E@(T v) : p(new M<T>(v)) {} };", headers="memory utility")
cxx("a guard", "{ auto f@ = [&] { left@ = $x; }; struct G@ { decltype(f@) &f; ~G@() { f(); } } g@{f@}; }", "left@",
    "static $T left@ = $g;")
cxx("a stream of bytes", "std::stringstream s@; $T v@ = $x, w@ = $d; s@.write(reinterpret_cast<char *>(&v@),"
    " sizeof v@); s@.read(reinterpret_cast<char *>(&w@), sizeof w@);", "w@", headers="sstream")
cxx("a stream of digits", "std::stringstream s@; long n@; s@ << (long)$x; s@ >> n@;", "($T)n@", headers="sstream")
cxx("to_chars and from_chars", "char s@[40]; long n@ = 0; auto e@ = std::to_chars(s@, s@ + 40, (long)$x);"
    " std::from_chars(s@, e@.ptr, n@);", "($T)n@", headers="charconv")
cxx("to_string", "std::string s@ = std::to_string((long)$x);", "($T)std::stol(s@)", headers="string")
cxx("a bitset", "std::bitset<64> b@((unsigned long)$x);", "($T)b@.to_ulong()", headers="bitset")
cxx("a complex number", "std::complex<long> c@(0, (long)$x);", "($T)c@.imag()", headers="complex")
cxx("a valarray", "std::valarray<long> a@{1, (long)$x}; std::valarray<long> b@ = a@ + 1L;", "($T)(b@[1] - 1)",
    headers="valarray")
cxx("a duration", "std::chrono::nanoseconds n@((long)$x);", "($T)n@.count()", headers="chrono")
