"""Strict JSON of protocol section 2: one error, at its byte offset, or the value.

The text is read once, from left to right, so that the first error met is the first in text order.
"""

from __future__ import annotations

import re
from typing import Any

from ..interface import JsonFault
from .numbers import from_literal

MAX_NESTING = 64

_SPACE = re.compile(r"[ \t\n\r]*").match
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*').match
_WHOLE_STRING = re.compile(r'"([^"\\\x00-\x1f]*)"').match
# The longest beginning of a number; it is whole if the second pattern takes all of it.
_NUMBER_BEGUN = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*(?:(?<=[0-9])[eE][+-]?[0-9]*)?|[eE][+-]?[0-9]*)?)?").match
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?").fullmatch
_HEX = frozenset("0123456789abcdefABCDEF")
_ESCAPED = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS: dict[str, tuple[str, Any]] = {"t": ("true", True), "f": ("false", False), "n": ("null", None)}


def parse(data: bytes) -> Any:
    """Return the value of JSON bytes. Raises JsonFault with one of the five codes of section 2."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise JsonFault("invalid_unicode", error.start) from None
    try:
        return _Reader(text).whole()
    except _Fault as fault:
        raise JsonFault(fault.code, len(text[: fault.at].encode())) from None


class _Fault(Exception):
    """An error and its offset in characters."""

    def __init__(self, code: str, at: int) -> None:
        super().__init__(code)
        self.code = code
        self.at = at


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def whole(self) -> Any:
        self._space()
        value = self._value(1)
        self._space()
        if self.at < len(self.text):
            raise _Fault("json_malformed", self.at)
        return value

    def _space(self) -> str:
        """Pass over white space. Returns the character behind it, or an empty text at the end."""
        match = _SPACE(self.text, self.at)
        assert match is not None
        self.at = match.end()
        return self.text[self.at : self.at + 1]

    def _value(self, depth: int) -> Any:
        first = self.text[self.at : self.at + 1]
        if first == '"':
            return self._string()
        if first == "{":
            return self._object(depth)
        if first == "[":
            return self._array(depth)
        if first in _WORDS and first:
            word, value = _WORDS[first]
            self._expect(word)
            return value
        return self._number()

    def _expect(self, word: str) -> None:
        """Pass over a text; the first character that differs is at fault."""
        for index, character in enumerate(word):
            if self.text[self.at + index : self.at + index + 1] != character:
                raise _Fault("json_malformed", self.at + index)
        self.at += len(word)

    def _number(self) -> int | float:
        begun = _NUMBER_BEGUN(self.text, self.at)
        assert begun is not None
        literal = begun.group()
        if _NUMBER(literal) is None:
            raise _Fault("json_malformed", begun.end())
        value = from_literal(literal)
        if value is None:
            raise _Fault("lossy_number", self.at)
        self.at = begun.end()
        return value

    def _array(self, depth: int) -> list[Any]:
        self._open(depth)
        items: list[Any] = []
        if self._space() == "]":
            self.at += 1
            return items
        while True:
            items.append(self._value(depth + 1))
            if self._space() == "]":
                self.at += 1
                return items
            self._expect(",")
            self._space()

    def _object(self, depth: int) -> dict[str, Any]:
        self._open(depth)
        members: dict[str, Any] = {}
        if self._space() == "}":
            self.at += 1
            return members
        while True:
            at = self.at
            if self.text[at : at + 1] != '"':
                raise _Fault("json_malformed", at)
            name = self._string()
            if name in members:
                raise _Fault("duplicate_name", at)
            self._space()
            self._expect(":")
            self._space()
            members[name] = self._value(depth + 1)
            if self._space() == "}":
                self.at += 1
                return members
            self._expect(",")
            self._space()

    def _open(self, depth: int) -> None:
        if depth > MAX_NESTING:
            raise _Fault("too_deep", self.at)
        self.at += 1

    def _string(self) -> str:
        whole = _WHOLE_STRING(self.text, self.at)
        if whole is not None:
            self.at = whole.end()
            return whole.group(1)
        self.at += 1
        parts: list[str] = []
        while True:
            plain = _PLAIN(self.text, self.at)
            assert plain is not None
            parts.append(plain.group())
            self.at = plain.end()
            if self.text[self.at : self.at + 1] == '"':
                self.at += 1
                return "".join(parts)
            self._expect("\\")
            parts.append(self._escape())

    def _escape(self) -> str:
        """Read an escape, its backslash being behind. Returns what it stands for."""
        letter = self.text[self.at : self.at + 1]
        if letter in _ESCAPED and letter:
            self.at += 1
            return _ESCAPED[letter]
        backslash = self.at - 1
        unit = self._unit()
        if unit < 0xD800 or unit > 0xDFFF:
            return chr(unit)
        low = self._low_surrogate() if unit < 0xDC00 else None
        if low is None:
            raise _Fault("invalid_unicode", backslash)
        return chr(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))

    def _unit(self) -> int:
        """Read the letter u and four hex digits. Returns their value."""
        self._expect("u")
        for index in range(4):
            if self.text[self.at + index : self.at + index + 1] not in _HEX:
                raise _Fault("json_malformed", self.at + index)
        self.at += 4
        return int(self.text[self.at - 4 : self.at], 16)

    def _low_surrogate(self) -> int | None:
        """Read a complete escape of a low surrogate. Returns its value; None, and stays, where none stands."""
        escape = self.text[self.at : self.at + 6]
        if len(escape) < 6 or escape[:2] != "\\u" or not _HEX.issuperset(escape[2:]):
            return None
        unit = int(escape[2:], 16)
        if not 0xDC00 <= unit <= 0xDFFF:
            return None
        self.at += 6
        return unit
