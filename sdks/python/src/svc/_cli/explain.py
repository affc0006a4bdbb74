"""`explain`: what a code, a check, a step or a verdict means, and what to do, from the tables in this package."""

from __future__ import annotations

from typing import Any

from .._generated import errors
from .._generated.codes import CODES
from .._generated.explanations import CHECKS, ERRORS, PROBLEMS, STEPS, VERDICTS
from .._words.text import COLUMNS, shorten, wrap
from .arguments import Option, read_call
from .exit import VERIFIED, usage
from .nearest import nearest
from .output import json_line, print_lines

OPTIONS = {"json": Option("", "print one JSON object")}
_NAMES = list(dict.fromkeys((*PROBLEMS, *ERRORS, *CHECKS, *STEPS, *VERDICTS)))
_SENSES = (
    ("in a report", PROBLEMS),
    ("an answer of the service", ERRORS),
    ("a check", CHECKS),
    ("a step of a verdict", STEPS),
    ("a verdict", VERDICTS),
)
# If less room than this is left for the last column, it gets separate lines.
_LEAST_ROOM = 20


def explain(arguments: list[str]) -> int:
    """Run the command. Returns the exit code; raises Refusal (64)."""
    call = read_call(arguments, OPTIONS, "explain")
    if len(call.words) > 1:
        message = f"too many arguments for 'explain'. Expected 1 argument but got {len(call.words)}."
        raise usage(message, '"svc explain --help" shows how it is called.')
    name = call.words[0] if call.words else None
    if name is not None and name not in _NAMES:
        first, second, third = nearest(name, _NAMES, 3)
        action = f"Nearest are {first}, {second} and {third}. svc explain lists all."
        raise usage(f'"{shorten(name)}" is no code, no check, no step and no verdict.', action)
    if call.has("json"):
        print_lines([json_line(_all_facts() if name is None else _facts_of(name))])
    else:
        print_lines(_list() if name is None else _page_of(name))
    return VERIFIED


def _facts_of(name: str) -> dict[str, Any]:
    found = {
        "problem": (PROBLEMS, _problem),
        "error": (ERRORS, _error),
        "check": (CHECKS, _check),
        "step": (STEPS, _step),
        "verdict": (VERDICTS, _verdict),
    }
    return {"name": name, **{sense: of(name) if name in table else None for sense, (table, of) in found.items()}}


def _all_facts() -> dict[str, Any]:
    return {
        "problems": [_problem(name) for name in PROBLEMS],
        "errors": [_error(name) for name in ERRORS],
        "checks": [_check(name) for name in CHECKS],
        "steps": [_step(name) for name in STEPS],
        "verdicts": [_verdict(name) for name in VERDICTS],
    }


def _problem(name: str) -> dict[str, Any]:
    code, own = CODES[name], PROBLEMS[name]["facts"]
    return {
        "code": name,
        "meaning": code["meaning"],
        "check": code["check"],
        "verdicts": own["verdicts"],
        "action": code["action"],
        "convicts": code["convicts"],
        "section": own["section"],
    }


def _error(name: str) -> dict[str, Any]:
    error = errors.ERRORS[name]
    return {"code": name, **{member: error[member] for member in ("status", "meaning", "retryable", "action")}}


def _check(name: str) -> dict[str, Any]:
    facts: dict[str, Any] = CHECKS[name]["facts"]
    return facts


def _step(name: str) -> dict[str, Any]:
    facts: dict[str, Any] = STEPS[name]["facts"]
    return facts


def _verdict(name: str) -> dict[str, Any]:
    facts: dict[str, Any] = VERDICTS[name]["facts"]
    return facts


def _page_of(name: str) -> list[str]:
    lines: list[str] = []
    for sense, table in _SENSES:
        if name not in table:
            continue
        one = table[name]
        lines += [*([""] if lines else []), f"{name}, {sense}", *wrap(_plain(one["summary"])), ""]
        for point in one["points"]:
            lines += wrap(f"{point['title']}: {_plain(point['text'])}", "  ", "    ")
    return lines


def _list() -> list[str]:
    checks = [_check(name) for name in CHECKS]
    by_status: dict[int, list[str]] = {}
    for name in ERRORS:
        by_status.setdefault(errors.ERRORS[name]["status"], []).append(name)
    without = ", ".join(one["check"] for one in checks if not one["codes"])
    how = "svc explain CODE says what one means and what to do; svc explain CHECK says what it looks at."
    return [
        *("Codes of reports, by the check that finds them:", ""),
        *_table([(one["check"], ", ".join(one["codes"])) for one in checks if one["codes"]]),
        *("", "Checks without their own code:", "", *wrap(without)),
        *("", "Codes of the service, by the status of its answer:", ""),
        *_table([(str(status), ", ".join(codes)) for status, codes in by_status.items()]),
        *("", "Steps of a verdict:", "", *wrap(", ".join(STEPS))),
        *("", "Verdicts:", "", *wrap(", ".join(VERDICTS))),
        *("", *wrap(how, "", "")),
    ]


def _table(rows: list[tuple[str, str]]) -> list[str]:
    width = max(len(first) for first, _ in rows)
    lines = []
    for first, last in rows:
        label = f"  {first.ljust(width)}  "
        if COLUMNS - len(label) >= _LEAST_ROOM:
            lines += wrap(last, label, " " * len(label))
        else:
            lines += [*wrap(first, "  ", "      "), *wrap(last, "      ", "      ")]
    return lines


def _plain(text: str) -> str:
    return text.replace("`", "")
