"""Reads files and standard input as bytes. A file that cannot be read ends the call with its own line."""

from __future__ import annotations

import errno
import os
import select
import stat
import sys
import time

from .exit import INPUT, Refusal

MAX_INPUT_BYTES = 1024**3
MAX_PACKAGE_BYTES = 4 * MAX_INPUT_BYTES
_PIECE = 1 << 20
# How long a named pipe may give nothing, in seconds: while nobody holds its other end, and while somebody does.
_UNHELD_S, _SILENT_S = 3, 60
_REASONS = {
    errno.ENOENT: ("there is no such file.", "Check the name, and that you are in the right folder."),
    errno.ENOTDIR: ("a part of the path is not a folder.", "Check the path."),
    errno.EISDIR: ("it is a folder, not a file.", "Name the file inside it."),
    errno.EACCES: (
        "you are not allowed to read it.",
        "Ask its owner for leave to read it, or copy it to a place of yours.",
    ),
    errno.ELOOP: ("its symbolic links lead in a circle.", "Name the file itself."),
    errno.ENAMETOOLONG: ("the name is too long.", "Check the name; an option may be missing in front of it."),
    errno.ENXIO: ("it is a socket, not a file.", "Name a file."),
}


def is_standard_input(path: str) -> bool:
    """Return whether a path means standard input."""
    return path in ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")


def read_input(path: str, max_bytes: int = MAX_INPUT_BYTES) -> bytes:
    """Return the bytes of a file, or of standard input for `-`. Raises Refusal (66)."""
    try:
        if is_standard_input(path):
            return _all_of(sys.stdin.buffer.fileno(), path, max_bytes)
        # Without waiting: to open a pipe that nobody writes to would never end.
        file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            found = os.fstat(file)
            if stat.S_ISDIR(found.st_mode):
                raise IsADirectoryError(errno.EISDIR, path)
            if found.st_size > max_bytes:
                raise _too_large(path, max_bytes)
            if stat.S_ISFIFO(found.st_mode):
                _wait(file, path)
            return _all_of(file, path, max_bytes)
        finally:
            os.close(file)
    except MemoryError:
        raise Refusal(
            INPUT,
            f"Cannot read {_named(path)}: it is larger than the memory that there is.",
            "Verify it on a larger machine, or ask for an export of a shorter range.",
        ) from None
    except ValueError:
        raise Refusal(INPUT, f"Cannot read {_named(path)}: this is no name of a file.", "Check the name.") from None
    except OSError as error:
        raise unreadable(path, error) from None


def _all_of(file: int, path: str, max_bytes: int) -> bytes:
    pieces: list[bytes] = []
    total = 0
    heard_at = time.monotonic()
    while True:
        try:
            piece = os.read(file, _PIECE)
        except BlockingIOError:
            if time.monotonic() - heard_at > _SILENT_S:
                raise _silent(path, _SILENT_S) from None
            select.select([file], [], [], 1)
            continue
        if not piece:
            return b"".join(pieces)
        total += len(piece)
        if total > max_bytes:
            raise _too_large(path, max_bytes)
        pieces.append(piece)
        heard_at = time.monotonic()


def _wait(file: int, path: str) -> None:
    """Wait until somebody writes into a pipe."""
    if not select.select([file], [], [], _UNHELD_S)[0]:
        raise _silent(path, _UNHELD_S)


def _named(path: str) -> str:
    return "standard input" if path == "-" else f'"{path}"'


def _silent(path: str, seconds: int) -> Refusal:
    reason = f"it is a pipe, and nothing came out of it for {seconds} seconds."
    return Refusal(INPUT, f"Cannot read {_named(path)}: {reason}", "Start what writes into it first, or name a file.")


def _too_large(path: str, max_bytes: int) -> Refusal:
    is_least = max_bytes < MAX_PACKAGE_BYTES
    action = (
        "Check that it is the file you meant; a truth package of up to 4 GiB is read by svc verify truth-package."
        if is_least
        else "Check that it is the file you meant; ask for an export of a shorter range if it is."
    )
    reason = f"it is larger than {max_bytes} bytes, the most that svc reads."
    return Refusal(INPUT, f"Cannot read {_named(path)}: {reason}", action)


def unreadable(path: str, error: OSError) -> Refusal:
    """Return the refusal of a file that cannot be read."""
    code = errno.errorcode.get(error.errno or 0, "unknown")
    reason, action = _REASONS.get(
        error.errno or 0, (f"the system says {code}.", "Copy it to a local disk and try again.")
    )
    return Refusal(INPUT, f"Cannot read {_named(path)}: {reason}", action)
