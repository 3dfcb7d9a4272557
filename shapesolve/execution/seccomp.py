"""Seccomp filters of system calls, as programs of the classic packet filter.

A filter sees the number of the call, the processor's architecture, and the six arguments as words; it answers with the
kernel's action.
"""

from __future__ import annotations

import platform
import struct
from collections.abc import Iterable, Sequence
from functools import cache

from shapesolve.records import value_record

_LOAD, _EQUAL, _SHARES_BITS, _AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000
_NOT_PERMITTED, _NOT_THERE = 1, 38  # EPERM, ENOSYS
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16

#: Above this, the same processor runs calls of another kind (x32), with numbers of its own.
_OTHER_NUMBERS = 0x40000000

_PROT_EXEC = 4
_WRITES = 0o1 | 0o2 | 0o100 | 0o1000 | 0o2000  # O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND


@value_record
class _Machine:
    """A processor architecture: its audit number, and the numbers of system calls."""

    mark: int
    numbers: dict[str, int]


def _numbers(text: str) -> dict[str, int]:
    words = text.split()
    return {name: int(number) for name, number in zip(words[::2], words[1::2], strict=True)}


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_MACHINES = {
    "x86_64": _Machine(
        0xC000003E,
        _numbers(
            """write 1 open 2 mmap 9 mprotect 10 munmap 11 brk 12 rt_sigaction 13 rt_sigprocmask 14 rt_sigreturn 15
            madvise 28 sched_yield 24 mremap 25 getpid 39 socket 41 connect 42 accept 43 sendto 44 recvfrom 45
            sendmsg 46 bind 49 listen 50 socketpair 53 vfork 58 execve 59 kill 62 truncate 76 rename 82 mkdir 83
            rmdir 84 creat 85 link 86 unlink 87 symlink 88 chmod 90 fchmod 91 chown 92 fchown 93 lchown 94
            gettimeofday 96 ptrace 101 utime 132 mknod 133 personality 135 setpriority 141 pivot_root 155 chroot 161
            mount 165 umount2 166 swapon 167 reboot 169 sethostname 170 init_module 175 delete_module 176 gettid 186
            setxattr 188 lsetxattr 189 fsetxattr 190 removexattr 197 lremovexattr 198 fremovexattr 199 tkill 200
            futex 202 restart_syscall 219 clock_gettime 228 exit_group 231 exit 60 tgkill 234 utimes 235 mbind 237
            mq_open 240 kexec_load 246 add_key 248 request_key 249 keyctl 250 mkdirat 258 openat 257 mknodat 259
            fchownat 260 futimesat 261 unlinkat 263 renameat 264 linkat 265 symlinkat 266 fchmodat 268 unshare 272
            utimensat 280 perf_event_open 298 open_by_handle_at 304 setns 308 getrandom 318 process_vm_readv 310
            process_vm_writev 311 finit_module 313 renameat2 316 memfd_create 319 kexec_file_load 320 bpf 321
            execveat 322 userfaultfd 323 rseq 334 pidfd_send_signal 424 io_uring_setup 425 io_uring_enter 426
            io_uring_register 427 open_tree 428 move_mount 429 fsopen 430 pidfd_open 434 clone3 435 openat2 437
            pidfd_getfd 438 fchmodat2 452 shmget 29 shmat 30 msgget 68 msgsnd 69 semget 64"""
        ),
    ),
    "aarch64": _Machine(
        0xC00000B7,
        _numbers(
            """write 64 mmap 222 mprotect 226 munmap 215 brk 214 rt_sigaction 134 rt_sigprocmask 135 rt_sigreturn 139
            madvise 233 sched_yield 124 mremap 216 getpid 172 socket 198 connect 203 accept 202 sendto 206
            recvfrom 207 sendmsg 211 bind 200 listen 201 socketpair 199 execve 221 kill 129 truncate 45 mkdirat 34
            mknodat 33 unlinkat 35 symlinkat 36 linkat 37 renameat 38 umount2 39 mount 40 pivot_root 41 chroot 51
            fchmod 52 fchmodat 53 fchownat 54 fchown 55 openat 56 ptrace 117 setxattr 5 lsetxattr 6 fsetxattr 7
            removexattr 14 lremovexattr 15 fremovexattr 16 personality 92 unshare 97 futex 98 kexec_load 104
            init_module 105 delete_module 106 clock_gettime 113 restart_syscall 128 tkill 130 tgkill 131
            setpriority 140 reboot 142 sethostname 161 gettimeofday 169 gettid 178 mq_open 180 msgget 186 msgsnd 189
            semget 190 shmget 194 shmat 196 add_key 217 request_key 218 keyctl 219 swapon 224 mbind 235
            perf_event_open 241 open_by_handle_at 265 setns 268 process_vm_readv 270 process_vm_writev 271
            finit_module 273 renameat2 276 getrandom 278 memfd_create 279 bpf 280 execveat 281 userfaultfd 282
            utimensat 88 rseq 293 kexec_file_load 294 pidfd_send_signal 424 io_uring_setup 425 io_uring_enter 426
            io_uring_register 427 open_tree 428 move_mount 429 fsopen 430 pidfd_open 434 clone3 435 openat2 437
            pidfd_getfd 438 fchmodat2 452 exit 93 exit_group 94"""
        ),
    ),
}

#: What computing needs once everything is loaded and compiled: memory, time, an orderly or a disorderly end.
_COMPUTES = _words("""munmap brk mremap madvise futex rt_sigreturn rt_sigprocmask rt_sigaction sched_yield clock_gettime
gettimeofday getrandom getpid gettid restart_syscall rseq exit exit_group""")

#: What lowering never needs: programs, connections, other processes, changes to files and to the system. It may end
#: the processes that it forks; Landlock keeps it from ending others.
_NEVER = _words("""execve execveat vfork socket socketpair connect accept bind listen sendto sendmsg recvfrom tkill
ptrace process_vm_readv process_vm_writev pidfd_open pidfd_getfd pidfd_send_signal truncate rename renameat renameat2
mkdir mkdirat rmdir creat link linkat unlink unlinkat symlink symlinkat chmod fchmod fchmodat fchmodat2 chown fchown
lchown fchownat utime utimes futimesat utimensat mknod mknodat setxattr lsetxattr fsetxattr removexattr lremovexattr
fremovexattr personality setpriority pivot_root chroot mount umount2 swapon reboot sethostname init_module finit_module
delete_module kexec_load kexec_file_load mq_open msgget msgsnd semget shmget shmat add_key request_key keyctl unshare
setns perf_event_open open_by_handle_at memfd_create bpf userfaultfd open_tree move_mount fsopen""")

#: Calls that pass their arguments where a filter cannot see them: as if the kernel were older.
_UNSEEN = ("clone3", "openat2", "io_uring_setup", "io_uring_enter", "io_uring_register")


def run_filter(writing: int, process: int) -> bytes | None:
    """Return the filter of a process that computes and writes to one descriptor; None for an unknown processor."""
    machine = _machine()
    if machine is None:
        return None
    own = [
        _call(machine, "write", _if_first_equals(writing)),
        _call(machine, "tgkill", _if_first_equals(process)),  # how `abort` ends this process
    ]
    return _shared_run_filter() + _filter_suffix(own, _ERRNO | _NOT_PERMITTED)


@cache
def _shared_run_filter() -> bytes:
    """Return the part of `run_filter` that is the same for every process."""
    machine = _machine()
    if machine is None:
        return b""
    rules = [_call(machine, name, _return(_ALLOW)) for name in _COMPUTES]
    rules += [_call(machine, name, _unless_shares(2, _PROT_EXEC)) for name in ("mmap", "mprotect")]
    return _filter_prefix(machine, rules)


def prepare() -> None:
    """Build the shared part of :func:`run_filter`, before processes fork that need it."""
    _shared_run_filter()


def lowering_filter() -> bytes | None:
    """Return the filter of a process that lowers, compiles and forks; None for an unknown processor."""
    machine = _machine()
    if machine is None:
        return None
    rules = [_call(machine, name, _return(_ERRNO | _NOT_PERMITTED)) for name in _NEVER]
    rules += [_call(machine, name, _return(_ERRNO | _NOT_THERE)) for name in _UNSEEN]
    rules.append(_call(machine, "open", _unless_shares(1, _WRITES)))
    rules.append(_call(machine, "openat", _unless_shares(2, _WRITES)))
    return _filter_prefix(machine, rules) + _filter_suffix((), _ALLOW)


@cache
def _machine() -> _Machine | None:
    return _MACHINES.get(platform.machine()) if struct.calcsize("P") == 8 else None


# Instructions --------------------------------------------------------------------------------------------------------


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)


def _return(answer: int) -> Sequence[bytes]:
    return (_instruction(_RETURN, answer),)


def _argument(position: int) -> bytes:
    """Load the low half of an argument, which is all of a descriptor or of flags."""
    return _instruction(_LOAD, _ARGUMENTS_AT + 8 * position)


def _if_first_equals(value: int) -> Sequence[bytes]:
    denied = _instruction(_RETURN, _ERRNO | _NOT_PERMITTED)
    return (_argument(0), _instruction(_EQUAL, value, 0, 1), _instruction(_RETURN, _ALLOW), denied)


def _unless_shares(position: int, bits: int) -> Sequence[bytes]:
    denied = _instruction(_RETURN, _ERRNO | _NOT_PERMITTED)
    return (_argument(position), _instruction(_SHARES_BITS, bits, 1, 0), _instruction(_RETURN, _ALLOW), denied)


def _call(machine: _Machine, name: str, answer: Sequence[bytes]) -> Sequence[bytes]:
    """Return the rule for one call; none if the processor lacks the call, as later ones lack older calls."""
    number = machine.numbers.get(name)
    if number is None:
        return ()
    return (_instruction(_EQUAL, number, 0, len(answer)), *answer)


def _filter_prefix(machine: _Machine, rules: Iterable[Sequence[bytes]]) -> bytes:
    """Return the beginning of a filter, which more rules may follow."""
    start = [
        _instruction(_LOAD, _ARCHITECTURE_AT),
        _instruction(_EQUAL, machine.mark, 1, 0),
        _instruction(_RETURN, _ERRNO | _NOT_PERMITTED),
        _instruction(_LOAD, _NUMBER_AT),
        _instruction(_AT_LEAST, _OTHER_NUMBERS, 0, 1),
        _instruction(_RETURN, _ERRNO | _NOT_THERE),
    ]
    return b"".join((*start, *(each for rule in rules for each in rule)))


def _filter_suffix(rules: Iterable[Sequence[bytes]], otherwise: int) -> bytes:
    """Return the last rules, and the answer if no rule gives one."""
    return b"".join((*(each for rule in rules for each in rule), _instruction(_RETURN, otherwise)))
