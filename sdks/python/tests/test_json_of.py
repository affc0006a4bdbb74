"""What a request may hold: the value that the program gave, or a refusal that names the place."""

from __future__ import annotations

import collections
import datetime
import enum
import json
from typing import Any

import pytest

from svc.client import SvcError
from svc.client._json import json_of

Pair = collections.namedtuple("Pair", "a b")


class _Level(enum.IntEnum):
    HIGH = 1


GOOD: list[Any] = [
    None,
    True,
    0,
    -(2**53 - 1),
    1.5,
    1e-7,
    1.0,
    "",
    'é\u2028\n"\\',
    "\U0001f600",
    [],
    {},
    (1, [2], {"a": ()}),
    {"": {"__class__": [None, False]}},
]


@pytest.mark.parametrize("value", GOOD, ids=repr)
def test_plain_values_come_back_as_they_were_given(value: Any) -> None:
    assert json.loads(json_of(value)) == json.loads(json.dumps(value))


def _nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def test_sixty_four_levels_and_not_one_more() -> None:
    assert json_of(_nested(64)).count("[") == 64
    with pytest.raises(SvcError, match="more than 64 levels deep"):
        json_of(_nested(65))


_CIRCLE: list[Any] = []
_CIRCLE.append({"again": _CIRCLE})

REFUSED: list[tuple[Any, str, str]] = [
    (float("nan"), "", "nan"),
    ({"payload": {"score": float("inf")}}, "/payload/score", "payload.score is inf"),
    ([0, -0.0], "/1", "-0.0"),
    ({"a/b~c": 2**53}, "/a~1b~0c", "2^53-1"),
    ({"x": 1e300}, "/x", "2^53-1"),
    ({"x": "\ud800"}, "/x", "surrogate"),
    ({"x": {"\udfff": 1}}, "/x", "name has half of a surrogate pair"),
    ({"x": {1: 2}}, "/x", "named by 1"),
    ({"x": b"bytes"}, "/x", "base64"),
    ({"x": {1, 2}}, "/x", "set"),
    ({"x": datetime.date(2026, 1, 1)}, "/x", "isoformat"),
    ({"x": Pair(1, 2)}, "/x", "class Pair"),
    ({"x": _Level.HIGH}, "/x", "class _Level"),
    ({"x": collections.OrderedDict()}, "/x", "class OrderedDict"),
    ({"x": object()}, "/x", "class object"),
    ({"x": _CIRCLE}, "/x/0/again", "contains itself"),
]


@pytest.mark.parametrize(("value", "pointer", "what"), REFUSED, ids=lambda one: repr(one)[:40])
def test_what_json_cannot_carry_is_refused_by_its_place(value: Any, pointer: str, what: str) -> None:
    with pytest.raises(SvcError) as caught:
        json_of(value)
    error = caught.value
    assert (error.code, error.status, error.retryable) == ("payload_not_json", None, False)
    assert what in str(error)
    assert [problem["path"] for problem in error.detail["problems"]] == [pointer]
