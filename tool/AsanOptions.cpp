// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What AddressSanitizer begins with in programs that use LLVM. LLVM's allocators poison memory in its headers, which
// are built with the sanitizer here, and unpoison it in its library, which is not.

extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0"; }
