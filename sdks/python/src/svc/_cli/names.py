"""Finds the files that the words of a call mean: files, folders with all evidence in and under them, patterns.

Nothing is left out in silence: a file that is missing or cannot be read is a separate entry, and the other files of
a folder are listed by name.
"""

from __future__ import annotations

import fnmatch
import os
import re
from typing import NamedTuple

from .exit import INPUT, Refusal
from .files import is_standard_input

# The files that we issue have such names.
_EVIDENCE_NAME = re.compile(r"[\s\S]*\.(json|zip|tlog-proof)\Z", re.IGNORECASE).match
_CHECK_NAME = "Check the name, and that you are in the right folder."


class Named(NamedTuple):
    """A file to verify, or a name under which nothing is verified, and why."""

    file: str
    refused: Refusal | None = None


def is_one_file(word: str) -> bool:
    """Return whether a word means one file, on any day: it is neither a folder nor a pattern."""
    return is_standard_input(word) or (not _is_pattern(word) if not os.path.exists(word) else not os.path.isdir(word))


def _is_pattern(word: str) -> bool:
    return any(character in word for character in "*?[")


def named_by(words: list[str], trust_file: str | None) -> tuple[list[Named], list[str]]:
    """Return the entries that words mean, each file once, and the other files of their folders."""
    named: dict[str, Named] = {}
    others: dict[str, str] = {}
    for word in dict.fromkeys(words):
        found, more = _meant(word)
        # The trust file of the call is no evidence where it lies among that.
        if trust_file is not None and not is_one_file(word):
            found = [one for one in found if _absolute(one.file) != _absolute(trust_file)]
        for one in found or [Named(word, _nothing(word))]:
            named.setdefault(one.file, one)
        others.update((_absolute(file), file) for file in more)
    for file in named:
        others.pop(_absolute(file), None)
    return list(named.values()), sorted(others.values())


def _absolute(path: str) -> str:
    return os.path.abspath(path)


def _nothing(word: str) -> Refusal:
    if os.path.isdir(word):
        message = f'There is no file in "{word}" with a name in .json, .zip or .tlog-proof.'
        return Refusal(INPUT, message, _CHECK_NAME, "no evidence")
    return Refusal(INPUT, f'Cannot read "{word}": no file has a name of this pattern.', _CHECK_NAME)


def _meant(word: str) -> tuple[list[Named], list[str]]:
    if is_standard_input(word) or (os.path.exists(word) and not os.path.isdir(word)) or not _may_be_many(word):
        return [Named(word)], []
    if os.path.isdir(word):
        return _walk(word)
    named: list[Named] = []
    others: list[str] = []
    parts = word.split("/")
    first = next(index for index, part in enumerate(parts) if _is_pattern(part))
    folder = "/".join(parts[:first]) or ("/" if first == 1 else "")
    for path in _match(folder, [part for part in parts[first:] if part]):
        if os.path.isdir(path):
            inner, more = _walk(path)
            named, others = [*named, *inner], [*others, *more]
        else:
            named.append(Named(path))
    return named, others


def _may_be_many(word: str) -> bool:
    return os.path.isdir(word) or _is_pattern(word)


def _match(folder: str, parts: list[str]) -> list[str]:
    """Return the paths that the parts of a pattern mean from a folder on. `**` means any folders."""
    if not parts:
        return [folder]
    part, rest = parts[0], parts[1:]
    found: list[str] = []
    if part == "**":
        found += _match(folder, rest or ["*"])
        for entry in _entries(folder):
            path = _joined(folder, entry)
            if not entry.startswith(".") and os.path.isdir(path) and not os.path.islink(path):
                found += _match(path, parts)
        return list(dict.fromkeys(found))
    for entry in _entries(folder):
        if entry.startswith(".") and not part.startswith("."):
            continue
        if fnmatch.fnmatchcase(entry, part.replace("[^", "[!")):
            found += _match(_joined(folder, entry), rest)
    return found


def _entries(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder or "."))
    except OSError:
        return []


def _joined(folder: str, name: str) -> str:
    # Neither an option nor standard input for somebody who copies it.
    if folder == "":
        return f"./{name}" if name.startswith("-") else name
    return f"{folder}{name}" if folder.endswith("/") else f"{folder}/{name}"


def _walk(folder: str) -> tuple[list[Named], list[str]]:
    """Return every file in a folder and under it. It follows links, and visits a folder once."""
    named: list[Named] = []
    others: list[str] = []
    seen: set[tuple[int, int]] = set()
    left = [folder]
    while left:
        path = left.pop()
        if os.path.isdir(path):
            found = os.stat(path)
            if (found.st_dev, found.st_ino) in seen:
                continue
            seen.add((found.st_dev, found.st_ino))
            try:
                left += [_joined(path, entry) for entry in sorted(os.listdir(path), reverse=True)]
            except OSError as error:
                reason = "you are not allowed to look into it." if error.errno == 13 else f"the system says {error}."
                action = "Ask its owner for leave to read it, or copy it to a place of yours."
                named.append(Named(path, Refusal(INPUT, f'Cannot read "{path}": {reason}', action)))
        elif not _EVIDENCE_NAME(os.path.basename(path)):
            others.append(path)
        elif os.path.exists(path) and not os.path.isfile(path):
            message = f'Cannot read "{path}": it is not a file.'
            named.append(Named(path, Refusal(INPUT, message, "Name it by itself to have it read.")))
        else:
            named.append(Named(path))
    return named, others
