"""The text of a C2SP tlog-policy, read strictly (section 16): the first fault in text order counts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from .._generated.limits import VERIFIER
from .._notes.verification_key import (
    COSIGNATURE,
    ED25519,
    ML_DSA_44,
    KeyFault,
    VerificationKey,
    parse_verification_key,
)

MAX_DEFINITIONS: int = VERIFIER["max_tlog_definitions"]
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]").search
_COUNT = re.compile("[1-9][0-9]*").fullmatch


class PolicyFault(Exception):
    """A text that is no tlog-policy: the line of its first fault, from 1, and `malformed` or `unsupported_object`."""

    def __init__(self, code: str, line: int, message: str) -> None:
        super().__init__(f"Line {line} of the tlog-policy: {message}")
        self.code = code
        self.line = line


class Group(NamedTuple):
    """A group: how many of its members must be met."""

    threshold: int
    members: tuple[str, ...]


@dataclass
class TlogPolicy:
    """A policy as it stands. `quorum`: the name of a witness or group; None for `none`."""

    logs: list[VerificationKey] = field(default_factory=list)
    witnesses: dict[str, VerificationKey] = field(default_factory=dict)
    groups: dict[str, Group] = field(default_factory=dict)
    quorum: str | None = None


def parse_tlog_policy(text: str) -> TlogPolicy:
    """Return the policy of a text. Raises PolicyFault."""
    reader = _Reader()
    lines = text.split("\n")
    for number, line in enumerate(lines[:-1], start=1):
        reader.line(number, line)
    if lines[-1]:
        raise PolicyFault("malformed", len(lines), "the last line does not end in a newline")
    if not reader.has_quorum:
        raise PolicyFault("malformed", len(lines), "there is no quorum line")
    return reader.policy


class _Reader:
    def __init__(self) -> None:
        self.policy = TlogPolicy()
        self.has_quorum = False
        self._grouped: set[str] = set()
        self._number = 0

    def line(self, number: int, line: str) -> None:
        self._number = number
        if _CONTROL(line) is not None:
            raise self._fault("the line has a control character")
        items = [item for item in re.split("[ \t]+", line) if item]
        if not items or items[0].startswith("#"):
            return
        keyword, arguments = items[0], items[1:]
        if keyword == "log":
            self._log(arguments)
        elif keyword == "witness":
            self._witness(arguments)
        elif keyword == "group":
            self._group(arguments)
        elif keyword == "quorum":
            self._quorum(arguments)
        else:
            raise self._fault(f"{keyword} is no keyword")

    def _fault(self, message: str, code: str = "malformed") -> PolicyFault:
        return PolicyFault(code, self._number, message)

    def _key(self, text: str, kind: int) -> VerificationKey:
        try:
            key = parse_verification_key(text)
        except KeyFault as fault:
            code = "unsupported_object" if fault.code == "unsupported_object" else "malformed"
            raise self._fault(f"{text} is no verification key that is known here", code) from None
        if key.type not in (kind, ML_DSA_44):
            code = "malformed" if key.type in (ED25519, COSIGNATURE) else "unsupported_object"
            raise self._fault(f"the key of {key.name} is of the wrong type", code)
        return key

    def _log(self, arguments: list[str]) -> None:
        if len(arguments) not in (1, 2):
            raise self._fault("a log line has a key and perhaps a URL")
        key = self._key(arguments[0], ED25519)
        if any(one.key == key.key for one in self.policy.logs):
            raise self._fault("two log lines have one key")
        if len(self.policy.logs) == MAX_DEFINITIONS:
            raise self._fault(f"there are more than {MAX_DEFINITIONS} logs")
        self.policy.logs.append(key)

    def _defined(self, name: str) -> bool:
        return name in self.policy.witnesses or name in self.policy.groups

    def _define(self, name: str) -> None:
        if name == "none" or self._defined(name):
            raise self._fault(f"{name} cannot be defined, or is defined already")

    def _witness(self, arguments: list[str]) -> None:
        if len(arguments) not in (2, 3):
            raise self._fault("a witness line has a name, a key and perhaps a URL")
        name = arguments[0]
        self._define(name)
        key = self._key(arguments[1], COSIGNATURE)
        if any(one.key == key.key for one in self.policy.witnesses.values()):
            raise self._fault("two witness lines have one key")
        if len(self.policy.witnesses) == MAX_DEFINITIONS:
            raise self._fault(f"there are more than {MAX_DEFINITIONS} witnesses")
        self.policy.witnesses[name] = key

    def _group(self, arguments: list[str]) -> None:
        if len(arguments) < 3:
            raise self._fault("a group line has a name, a threshold and members")
        name, threshold, members = arguments[0], arguments[1], arguments[2:]
        self._define(name)
        for member in members:
            if not self._defined(member):
                raise self._fault(f"{member} is not defined before it is used")
            if member in self._grouped:
                raise self._fault(f"{member} is a member twice")
            self._grouped.add(member)
        if threshold in ("all", "any"):
            count = len(members) if threshold == "all" else 1
        elif _COUNT(threshold) and len(threshold) < 6 and int(threshold) <= len(members):
            count = int(threshold)
        else:
            raise self._fault(f"{threshold} is no threshold of {len(members)} members")
        if len(self.policy.groups) == MAX_DEFINITIONS:
            raise self._fault(f"there are more than {MAX_DEFINITIONS} groups")
        self.policy.groups[name] = Group(count, tuple(members))

    def _quorum(self, arguments: list[str]) -> None:
        if self.has_quorum or len(arguments) != 1:
            raise self._fault("there is one quorum line, with one name")
        if arguments[0] != "none":
            if not self._defined(arguments[0]):
                raise self._fault(f"{arguments[0]} is not defined before it is used")
            self.policy.quorum = arguments[0]
        self.has_quorum = True
