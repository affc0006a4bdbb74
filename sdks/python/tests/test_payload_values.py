"""Every language builds the values of fixtures/payload-values.json, and seals or refuses the same."""

from __future__ import annotations

import collections
import concurrent.futures
import datetime
import json
import re
from typing import Any

import pytest

from conftest import FIXTURES, read_json
from svc.client import SvcError
from svc.client._json import json_of

_ONE = {"a": 1}
_CIRCLE: dict[str, Any] = {}
_CIRCLE["self"] = _CIRCLE


def _nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


VALUES: dict[str, Any] = {
    "null": None,
    "true": True,
    "false": False,
    "zero": 0,
    "the greatest integer": 2**53 - 1,
    "the least integer": 1 - 2**53,
    "a fraction": -1.5,
    "a small fraction": 5e-324,
    "an empty text": "",
    "a text of all planes": '<a&b> é 中 📍 \u0000 \u2028 " \\ \ufffd',
    "an empty list": [],
    "an empty map": {},
    "lists and maps": {"": [1, {"a/b~c": None}], "__proto__": [[]]},
    "one value in two places": [_ONE, _ONE],
    "a tuple": (1, "a"),
    "NaN": float("nan"),
    "infinity": float("inf"),
    "minus infinity": float("-inf"),
    "minus zero": -0.0,
    "an integer of 2^53": 2**53,
    "an integer of -2^53": -(2**53),
    "a large fraction": 1e300,
    "a large integer": 2**64 - 1,
    "a text that is not Unicode": "a\ud800b",
    "a name that is not Unicode": {"\udfff": 1},
    "bytes": b"hello",
    "a map with other names": {1: "a"},
    "a set": {"a"},
    "an error": OSError("disk is full"),
    "an object whose members are hidden": object(),
    "a function": lambda: None,
    "a value that is still to come": concurrent.futures.Future(),
    "a value that contains itself": _CIRCLE,
    "65 levels": _nested(63),
    "a complex number": 1j,
    "a date": datetime.date(2026, 3, 1),
    "a subclass": collections.OrderedDict(),
}
CASES: list[dict[str, Any]] = [
    one for one in read_json(FIXTURES / "payload-values.json") if "python" in one.get("languages", ["python"])
]


def test_a_value_is_built_for_each_case_and_for_no_other() -> None:
    assert list(VALUES) == [one["name"] for one in CASES]


@pytest.mark.parametrize("case", CASES, ids=lambda one: one["name"])
def test_each_value_is_sealed_or_refused_as_in_every_language(case: dict[str, Any]) -> None:
    given = {"payload": {"x": VALUES[case["name"]]}}
    if "refused" not in case:
        assert json.loads(json_of(given))["payload"]["x"] == case["json"]
        return
    with pytest.raises(SvcError, match=case["refused"]) as caught:
        json_of(given)
    error = caught.value
    assert (error.code, error.retryable) == ("payload_not_json", False)
    [problem] = error.detail["problems"]
    assert re.match("/payload/x(?:/|$)", problem["path"])
    assert problem["message"] in str(error)
