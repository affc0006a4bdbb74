"""The cases of fixtures/histories.json, which every language answers alike."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import FIXTURES, read_json
from svc._report.history import History, joined
from svc._report.model import Signer
from svc._verify.contradictions import contradictions

CASES = read_json(FIXTURES / "histories.json")["cases"]


def _history(shows: dict[str, Any]) -> History:
    places = {name: {int(at): one * 64 for at, one in shows.get(name, {}).items()} for name in ("windows", "roots")}
    return History(
        shows["stream_id"],
        shows.get("from", 1),
        joined(one * 64 for one in shows.get("events", "")),
        **places,
        endorsed=tuple((by, kid) for by, kid in shows.get("endorsed", ())),
    )


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_contradictions(case: dict[str, Any]) -> None:
    objects = [
        (
            [_history(shows) for shows in one["shows"]],
            [Signer(**signer, fingerprint=None) for signer in one["signers"]],
        )
        for one in case["objects"]
    ]
    found = [
        {
            "stream_id": one.stream_id,
            "left": one.left,
            "right": one.right,
            "place": {one.place: one.at},
            "reached": one.reached,
        }
        for one in contradictions(objects)
    ]
    assert found == case["contradictions"]
