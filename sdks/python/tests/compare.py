"""Whether an answer is the right one: all but `id` and `message`, and of a report what section 16 calls equal."""

from __future__ import annotations

import json
from typing import Any

# What is each program's own wording.
OWN_WORDS = frozenset({"note", "message", "expected", "actual"})


def said(report: dict[str, Any], with_words: bool = True) -> dict[str, Any]:
    """Return what is compared of a report: problems of one check may be in any order."""
    left_out = OWN_WORDS if with_words else OWN_WORDS | {"action"}
    kept = {name: value for name, value in report.items() if name != "verifier"}
    kept["checks"] = [_without(check, left_out) for check in report["checks"]]
    problems = [_without(problem, left_out) for problem in report["problems"]]
    kept["problems"] = sorted(problems, key=lambda problem: json.dumps(problem, sort_keys=True))
    if not with_words:
        kept.pop("proves"), kept.pop("does_not_prove")
    return kept


def compared(answer: dict[str, Any]) -> dict[str, Any]:
    """Return what is compared of an answer of the conformance protocol."""
    kept = _without(answer, frozenset({"id", "message"}))
    if "report" in kept:
        kept["report"] = said(kept["report"], with_words=False)
    return kept


def _without(members: dict[str, Any], names: frozenset[str]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if name not in names}
