# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forms in which a value is in a record of the system's headers (see c_forms.py).

What only the system would know the tool may follow otherwise than the program's own.
"""

from c_forms import ANY, SCALAR, form


def numbers(name, record, member, headers, kinds=ANY):
    """Records with a number in which the value fits: copied as a whole, and read by a function that gets the copy."""
    form(name, f"{record} s@, t@; memset(&s@, 0, sizeof s@); s@.{member} = (__typeof__(s@.{member}))$x; t@ = s@;",
         "read@(&t@)", f"static $T read@({record} *s) {{ return ($T)s->{member}; }}", kinds, headers + " string.h")


def addresses(name, record, member, headers):
    """Records with an address, of the value."""
    form(name, f"{record} s@; $T v@ = $x; memset(&s@, 0, sizeof s@); s@.{member} = (__typeof__(s@.{member}))&v@;",
         "read@(&s@)", f"static $T read@({record} *s) {{ return *($T *)s->{member}; }}", ANY, headers + " string.h")


numbers("a time of day", "struct timeval", "tv_sec", "sys/time.h")
numbers("the microseconds of an interval", "struct itimerval", "it_value.tv_usec", "sys/time.h")
numbers("a time of a clock", "struct timespec", "tv_nsec", "time.h")
numbers("a broken-down time", "struct tm", "tm_yday", "time.h", SCALAR)
numbers("a limit of resources", "struct rlimit", "rlim_max", "sys/resource.h")
numbers("a use of resources", "struct rusage", "ru_nvcsw", "sys/resource.h")
numbers("a file to be polled", "struct pollfd", "fd", "poll.h", SCALAR)
numbers("the size of a file", "struct stat", "st_size", "sys/stat.h")
numbers("a lock of a file", "struct flock", "l_start", "fcntl.h")
numbers("a long quotient", "lldiv_t", "rem", "stdlib.h")
numbers("times of a process", "struct tms", "tms_cutime", "sys/times.h")
numbers("a directory's entry", "struct dirent", "d_ino", "dirent.h")
numbers("a user's number", "struct passwd", "pw_uid", "pwd.h", SCALAR)
numbers("an internet address", "struct in_addr", "s_addr", "netinet/in.h", SCALAR)
numbers("a semaphore's operation", "union sigval", "sival_int", "signal.h", SCALAR)
numbers("an attribute of a socket", "struct linger", "l_linger", "sys/socket.h", SCALAR)
numbers("a signal's set", "sigset_t", "__val[3]", "signal.h")
numbers("a scheduling parameter", "struct sched_param", "sched_priority", "sched.h", SCALAR)
addresses("a vector of memory", "struct iovec", "iov_base", "sys/uio.h")
addresses("a message's control data", "struct msghdr", "msg_control", "sys/socket.h")
addresses("what a signal brings", "struct sigevent", "sigev_value.sival_ptr", "signal.h")
addresses("a stack of signals", "stack_t", "ss_sp", "signal.h")
addresses("an option's flag", "struct option", "flag", "getopt.h")
addresses("a user's folder", "struct passwd", "pw_dir", "pwd.h")
addresses("a group's members", "struct group", "gr_mem", "grp.h")
addresses("an entry of a table", "ENTRY", "data", "search.h")
addresses("a hint for addresses", "struct addrinfo", "ai_next", "netdb.h")
addresses("what dladdr found", "Dl_info", "dli_saddr", "dlfcn.h")
addresses("conventions of numbers", "struct lconv", "grouping", "locale.h")
addresses("what glob found", "glob_t", "gl_pathv", "glob.h")
