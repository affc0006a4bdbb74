"""Writes to the terminal, a pipe or a file: lines in which nothing can act on a terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from .._words.page import Paint, plain
from .._words.text import escape_json, escape_text, wrap
from .exit import INPUT, USAGE, Refusal
from .files import unreadable

_SGR = {"good": 32, "warn": 33, "bad": 31}


def print_lines(lines: list[str]) -> None:
    """Write lines to stdout; nothing for no lines."""
    if lines:
        sys.stdout.write("\n".join(lines) + "\n")


def print_error(message: str, action: str) -> None:
    """Write to stderr what was wrong, and below it the next step."""
    lines = [*wrap(escape_text(message), "svc: ", "     "), *wrap(escape_text(action), "     ", "     ")]
    sys.stderr.write("\n".join(lines) + "\n")


def json_line(value: Any) -> str:
    """Return JSON on one line in which nothing can act on a terminal."""
    return escape_json(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def painter(choice: str, environment: Mapping[str, str]) -> Paint:
    """Return a painter; without colour it returns the text unchanged."""
    is_wanted = choice == "always" or (
        choice == "auto"
        and sys.stdout.isatty()
        and environment.get("NO_COLOR", "") == ""
        and environment.get("TERM") != "dumb"
    )
    return (lambda tone, text: f"\x1b[{_SGR[tone]};1m{text}\x1b[0m") if is_wanted else plain


class ReportUnwritable(Refusal):
    """The file of `--report` could not be written: nobody can read the verdict there."""


def require_other_file(report: str | None, inputs: list[str]) -> None:
    """Refuse a report that would be written over a file that the call reads: evidence is never overwritten."""
    if report is None:
        return
    if report == "-":
        raise Refusal(USAGE, "--report goes to a file, not to standard output.", "Use --json.")
    if any(_place_of(path) == _place_of(report) for path in inputs):
        message = "--report names a file that this call reads, and would write over it."
        raise ReportUnwritable(USAGE, message, "Give it another name.")


def _place_of(path: str) -> object:
    """Return the same place for all names of a file; for a missing file, the path."""
    try:
        found = os.stat(path)
        return found.st_dev, found.st_ino
    except (OSError, ValueError):
        return os.path.abspath(path)


def write_report(path: str, lines: list[str]) -> None:
    """Write lines of JSON in the place of an existing file, whole or not at all. Raises ReportUnwritable (66)."""
    place = os.path.realpath(path)
    beside = f"{place}.{os.urandom(4).hex()}.tmp"
    try:
        if os.path.exists(place) and not os.path.isfile(place):
            raise IsADirectoryError(21, path)
        mode = os.stat(place).st_mode & 0o777 if os.path.exists(place) else 0o666
        file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            with os.fdopen(file, "wb") as out:
                out.write("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass"))
                out.flush()
                os.fsync(out.fileno())
            os.replace(beside, place)
        except BaseException:
            os.unlink(beside)
            raise
    except OSError as error:
        refusal = unreadable(path, error)
        reason = refusal.message.partition(": ")[2]
        message = f'--report: Cannot write "{path}": {reason}'
        raise ReportUnwritable(INPUT, message, "Name a file in a folder of yours.") from None
