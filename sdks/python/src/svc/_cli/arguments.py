"""The words of a call, read strictly: options with and without values, each once unless it is repeatable."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import NamedTuple

from .exit import usage


class Option(NamedTuple):
    """An option. `value`: the word for its value, empty for none."""

    value: str
    about: str
    repeats: bool = False
    choices: tuple[str, ...] = ()


@dataclass
class Call:
    """The words of a call: options by name, and all other words in order."""

    words: list[str] = field(default_factory=list)
    options: dict[str, list[str]] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Return whether an option is there."""
        return name in self.options

    def one(self, name: str) -> str | None:
        """Return the value of an option; None where it is missing."""
        return self.options[name][0] if name in self.options else None

    def all(self, name: str) -> list[str]:
        """Return every value of a repeatable option."""
        return self.options.get(name, [])


def read_call(arguments: list[str], known: dict[str, Option], command: str) -> Call:
    """Return a call. Raises Refusal (64), with the line that says how the command is called."""
    help_line = f'"svc {command} --help" shows how it is called.'
    call, at = Call(), 0
    while at < len(arguments):
        word = arguments[at]
        at += 1
        if word == "--":
            call.words += arguments[at:]
            break
        if not word.startswith("-") or word == "-":
            call.words.append(word)
            continue
        if os.path.lexists(word):
            raise usage(
                f'"{word}" is an option, and a file in this folder is called so too: a pattern like * makes the one '
                "out of the other.",
                "Find out who put that file there. Then call svc from another folder, or write ./* and not *, and "
                "rename the file.",
            )
        name, has_value, value = word.partition("=")
        option = known.get(name.removeprefix("--")) if name.startswith("--") else None
        if option is None:
            raise usage(f"unknown option '{name}'{_meant(name, known)}", help_line)
        shown = f"--{name[2:]}{f' <{option.value}>' if option.value else ''}"
        if option.value and not has_value:
            if at == len(arguments):
                raise usage(f"option '{shown}' argument missing", help_line)
            value, at = arguments[at], at + 1
        elif has_value and not option.value:
            raise usage(f"unknown option '{word}'", help_line)
        if option.choices and value not in option.choices:
            allowed = ", ".join(option.choices)
            raise usage(f"option '{shown}' argument '{value}' is invalid. Allowed choices are {allowed}.", help_line)
        given = call.options.setdefault(name[2:], [])
        if given and option.value and not option.repeats:
            raise usage(f"option '{shown}' argument '{value}' is invalid. It is given twice.", help_line)
        given.append(value)
    return call


def _meant(name: str, known: dict[str, Option]) -> str:
    from .nearest import similar

    names = similar(name, [f"--{one}" for one in known])
    if not names:
        return ""
    meant = f"one of {', '.join(names)}" if len(names) > 1 else names[0]
    return f" (Did you mean {meant}?)"


def ordinal(call: Call, name: str, most: int = 2**53 - 1) -> int | None:
    """Return the number that an option writes in digits, from 1 on. Raises Refusal (64)."""
    text = call.one(name)
    if text is None:
        return None
    if re.fullmatch("[1-9][0-9]{0,15}", text) and int(text) <= most:
        return int(text)
    how = "Give a whole number from 1 on, without leading zeros." if most > 64 else f"Give 1 to {most}."
    raise usage(
        f"option '--{name} <number>' argument '{text}' is invalid. {how}",
        '"svc verify --help" shows how it is called.',
    )
