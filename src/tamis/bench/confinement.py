"""Shutting a process off from the others of its user, as far as the system lets it; Linux only.

In namespaces of its own it sees no process but those that it starts, and reaches no network. Where the system
gives no namespaces and this is root, it becomes another user, who may not look into the processes of this
one. It is done before any code of a method is loaded, and cannot be undone by that.
"""

import ctypes
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Literal

Way = Literal["namespaces", "user"]
WAYS: Final[tuple[Way, ...]] = ("namespaces", "user")

NOBODY: Final = 65534
_NEW_MOUNTS: Final = 0x00020000
_NEW_IPC: Final = 0x08000000
_NEW_USER: Final = 0x10000000
_NEW_PROCESSES: Final = 0x20000000
_NEW_NETWORK: Final = 0x40000000
_PRIVATE: Final = 0x00040000 | 0x4000  # MS_PRIVATE | MS_REC
_LIMITS: Final = 0x2 | 0x4 | 0x8  # no setuid, no devices, no programs

_SET_PARENT_DEATH: Final = 1
_SET_SUBREAPER: Final = 36
_SET_NO_NEW_PRIVILEGES: Final = 38
_CAPABILITIES_3: Final = 0x20080522
_SYS_CAPSET: Final = {"x86_64": 126, "aarch64": 91, "riscv64": 91}


def confine(ways: Sequence[Way], folder: Path, needed: Sequence[Path]) -> Way | None:
    """Confine this process and those that it will start, in the first of the ways that the system gives.

    `folder` is the process's own and stays writable; `needed` is what another user would have to be able to
    read.

    Returns:
        The way that is in force from here on; None where there is none.
    """
    if os.name != "posix" or not hasattr(os, "uname") or os.uname().sysname != "Linux":
        return None
    for way in ways:
        if way == "namespaces" and _in_namespaces():
            return way
        if way == "user" and os.getuid() == 0 and _as_nobody(folder, needed):
            return way
    return None


def adopt_orphans() -> None:
    """Become the parent of what this process's children leave behind, so that it can be found and ended."""
    _prctl(_SET_SUBREAPER, 1)


def _in_namespaces() -> bool:
    """Go on as the first process of namespaces of its own; the process that was here waits for that."""
    uid, gid = os.getuid(), os.getgid()
    if not _works(lambda: _unshare(uid, gid) and _works(_shut_in)):
        return False
    _unshare(uid, gid)
    child = os.fork()
    if child:  # end as the child ends; whoever ends this process ends that one too
        _, status = os.waitpid(child, 0)
        os._exit(max(0, os.waitstatus_to_exitcode(status)) if os.WIFEXITED(status) else 1)
    _prctl(_SET_PARENT_DEATH, 9)
    _prctl(_SET_NO_NEW_PRIVILEGES, 1)
    return _shut_in()


def _works(attempt: Callable[[], bool]) -> bool:
    """Whether the system lets one do it, found out in a child, where nothing is lost by it."""
    child = os.fork()
    if child == 0:
        os._exit(0 if attempt() else 1)
    return os.waitpid(child, 0)[1] == 0


def _unshare(uid: int, gid: int) -> bool:
    kinds = _NEW_USER | _NEW_PROCESSES | _NEW_MOUNTS | _NEW_IPC | _NEW_NETWORK
    if _libc().unshare(kinds) != 0:
        return False
    try:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{NOBODY} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{NOBODY} {gid} 1")
    except OSError:
        return False
    return bool(_libc().mount(b"none", b"/", None, _PRIVATE, None) == 0)


def _shut_in() -> bool:
    return _hide_processes() and _drop_capabilities()


def _hide_processes() -> bool:
    """A `/proc` that knows these processes only; where the system gives none, an empty one."""
    libc = _libc()
    if libc.mount(b"proc", b"/proc", b"proc", _LIMITS, None) == 0:
        return True
    return bool(libc.mount(b"none", b"/proc", b"tmpfs", _LIMITS, b"size=4k,mode=555") == 0)


def _drop_capabilities() -> bool:
    """Without them what was mounted cannot be taken away, nor in a user namespace made later."""
    number = _SYS_CAPSET.get(os.uname().machine)
    if number is None:
        return False
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    return bool(_libc().syscall(number, header, nothing) == 0)


def _as_nobody(folder: Path, needed: Sequence[Path]) -> bool:
    def can_load() -> bool:  # what is loaded later must be there for another user too
        _become_nobody()
        return os.access(sys.executable, os.X_OK) and all(os.access(path, os.R_OK) for path in needed)

    if not _works(can_load):
        return False
    os.chown(folder, NOBODY, NOBODY)
    _libc().unshare(_NEW_NETWORK | _NEW_IPC)
    _become_nobody()
    _prctl(_SET_NO_NEW_PRIVILEGES, 1)
    return True


def _become_nobody() -> None:
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def _prctl(option: int, value: int) -> None:
    _libc().prctl(option, value, 0, 0, 0)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
