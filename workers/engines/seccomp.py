"""The system calls that a sandboxed engine may make, as a filter of the kernel (seccomp(2)).

libseccomp makes the filter's program, because it knows the numbers and arguments of calls on each
kind of machine. The list contains what the runtimes of common languages need to compute, to read
files and to run threads. Whatever is not listed looks as if the kernel did not have it (ENOSYS), so
runtimes fall back to older calls.
"""

import ctypes
import errno
import os
from functools import cache
from typing import NamedTuple

LIBRARY = "libseccomp.so.2"

ALLOWED = (
    # memory
    "brk", "madvise", "mincore", "mlock", "mlock2", "mprotect", "mremap", "msync", "munlock",
    "munmap",
    # files
    "access", "chdir", "chmod", "close", "close_range", "creat", "dup", "dup2", "dup3",
    "faccessat", "faccessat2", "fadvise64", "fallocate", "fchdir", "fchmod", "fchmodat", "fcntl",
    "fdatasync", "fgetxattr", "flock", "fstat", "fstatfs", "fsync", "ftruncate", "getcwd",
    "getdents", "getdents64", "getxattr", "ioctl", "lgetxattr", "link", "linkat", "lseek",
    "lstat", "mkdir", "mkdirat", "newfstatat", "open", "openat", "openat2", "pread64", "preadv",
    "preadv2", "pwrite64", "pwritev", "pwritev2", "read", "readahead", "readlink", "readlinkat",
    "readv", "rename", "renameat", "renameat2", "rmdir", "sendfile", "stat", "statfs", "statx",
    "symlink", "symlinkat", "truncate", "umask", "unlink", "unlinkat", "utime", "utimensat",
    "utimes", "write", "writev",
    # waiting for files, and for other threads
    "epoll_create", "epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_pwait2", "epoll_wait",
    "eventfd", "eventfd2", "futex", "futex_wait", "futex_waitv", "futex_wake",
    "inotify_add_watch", "inotify_init1", "inotify_rm_watch", "membarrier", "pipe", "pipe2",
    "poll", "ppoll", "pselect6", "recvfrom", "select", "sendto", "signalfd4",
    # clocks
    "clock_getres", "clock_gettime", "clock_nanosleep", "getitimer", "gettimeofday", "nanosleep",
    "setitimer", "time", "timer_create", "timer_delete", "timer_getoverrun", "timer_gettime",
    "timer_settime", "timerfd_create", "timerfd_gettime", "timerfd_settime", "times",
    # signals; there is nobody else to signal
    "kill", "pause", "restart_syscall", "rt_sigaction", "rt_sigpending", "rt_sigprocmask",
    "rt_sigqueueinfo", "rt_sigreturn", "rt_sigsuspend", "rt_sigtimedwait", "rt_tgsigqueueinfo",
    "sigaltstack", "tgkill", "tkill",
    # the process and its threads
    "arch_prctl", "execve", "execveat", "exit", "exit_group", "getcpu", "getegid", "geteuid",
    "getgid", "getgroups", "getpgid", "getpgrp", "getpid", "getppid", "getpriority", "getrandom",
    "getresgid", "getresuid", "getrlimit", "getrusage", "getsid", "gettid", "getuid", "prctl",
    "prlimit64", "rseq", "sched_get_priority_max", "sched_get_priority_min", "sched_getaffinity",
    "sched_getattr", "sched_getparam", "sched_getscheduler", "sched_setaffinity",
    "sched_setscheduler", "sched_yield", "set_robust_list", "set_tid_address", "setrlimit",
    "sysinfo", "ugetrlimit", "uname", "wait4", "waitid",
)  # fmt: skip
"""The calls that may have any arguments."""

DENIED = ("fork", "vfork", "socket")
"""The calls that are refused with EPERM, because ENOSYS would puzzle who made them."""

_ALLOW, _ENOSYS, _EPERM = 0x7FFF0000, 0x50000 | errno.ENOSYS, 0x50000 | errno.EPERM
_MASKED_EQUAL = 7  # SCMP_CMP_MASKED_EQ
_OPTIMIZE, _AS_A_TREE = 8, 2  # SCMP_FLTATR_CTL_OPTIMIZE: search the calls in a binary tree

# linux/sched.h, linux/mman.h, linux/socket.h; equal on x86-64 and ARM
_CLONE_THREAD = 0x10000
_SHARED, _PRIVATE, _TYPE, _ANONYMOUS = 0x01, 0x02, 0x0F, 0x20
_GROWS_DOWN, _HUGE = 0x0100, 0x40000
_AF_UNIX = 1


class Comparison(NamedTuple):
    """A condition on a call: its argument ``argument``, masked with ``mask``, equals ``value``."""

    argument: int
    mask: int
    value: int


_CONDITIONAL = (
    ("clone", Comparison(0, _CLONE_THREAD, _CLONE_THREAD), _ALLOW),
    ("clone", Comparison(0, _CLONE_THREAD, 0), _EPERM),
    # Only memory that RLIMIT_DATA counts: private, or a file's.
    ("mmap", Comparison(3, _TYPE | _GROWS_DOWN | _HUGE, _PRIVATE), _ALLOW),
    ("mmap", Comparison(3, _TYPE | _ANONYMOUS | _HUGE, _SHARED), _ALLOW),
    # Event loops wake themselves by a pair of sockets; there is no way from it to anywhere else.
    ("socketpair", Comparison(0, 0xFFFFFFFF, _AF_UNIX), _ALLOW),
)


class NoSeccompError(Exception):
    """libseccomp is not installed, or failed; the message says which."""


class _Argument(ctypes.Structure):
    """``struct scmp_arg_cmp`` of seccomp.h."""

    _fields_ = (
        ("arg", ctypes.c_uint),
        ("op", ctypes.c_int),
        ("datum_a", ctypes.c_uint64),
        ("datum_b", ctypes.c_uint64),
    )


@cache
def program() -> bytes:
    """Return the filter in the form that the kernel runs (BPF). Raises NoSeccompError."""
    try:
        library = ctypes.CDLL(LIBRARY)
    except OSError as error:
        raise NoSeccompError(str(error)) from None
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(_ENOSYS)))
    try:
        library.seccomp_attr_set(context, _OPTIMIZE, ctypes.c_uint32(_AS_A_TREE))
        for names, action in ((ALLOWED, _ALLOW), (DENIED, _EPERM)):
            for name in names:
                _add(library, context, name, action)
        for name, compared, action in _CONDITIONAL:
            condition = _Argument(compared.argument, _MASKED_EQUAL, compared.mask, compared.value)
            _add(library, context, name, action, condition)
        return _exported(library, context)
    finally:
        library.seccomp_release(context)


def _add(
    library: ctypes.CDLL, context: ctypes.c_void_p, name: str, action: int, *args: _Argument
) -> None:
    number = library.seccomp_syscall_resolve_name(name.encode())
    if number < 0:
        return  # this kind of machine, or this libseccomp, does not know the call
    given = (_Argument * len(args))(*args)
    failed = library.seccomp_rule_add_array(
        context, ctypes.c_uint32(action), number, len(args), given
    )
    if failed:
        raise NoSeccompError(f"libseccomp has no rule for {name}: {os.strerror(-failed)}")


def _exported(library: ctypes.CDLL, context: ctypes.c_void_p) -> bytes:
    with os.fdopen(os.memfd_create("seccomp"), "rb") as file:
        failed = library.seccomp_export_bpf(context, file.fileno())
        if failed:
            raise NoSeccompError(f"libseccomp made no filter: {os.strerror(-failed)}")
        file.seek(0)
        return file.read()
