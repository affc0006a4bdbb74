"""`python -m svc conformance` as a process."""

from __future__ import annotations

import json
import subprocess
import sys


def run(arguments: list[str], lines: list[str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "svc", *arguments],
        input="".join(f"{line}\n" for line in lines or ()),
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


def test_answers_line_by_line() -> None:
    requests = ['{"id":1,"op":"hello"}', '{"id":2,"op":"none"}', "{", '{"id":[3],"op":"merkle.root","leaves":[]}']
    done = run(["conformance", "--kernel", "reference"], requests)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert answers[0]["implementation"] == "svc-sdk (reference)"
    assert answers[0]["kernel_sha256"] is None
    assert [(one["id"], one.get("code")) for one in answers[1:]] == [
        (2, "unsupported_op"),
        (None, "json_malformed"),
        ([3], "malformed"),
    ]


def test_wrong_calls() -> None:
    alone = run([])
    assert (alone.returncode, alone.stdout) == (64, "")
    assert alone.stderr.startswith("Usage: python -m svc <command>\n")
    for arguments in (["conformance", "--kernel", "other"], ["unknown"]):
        done = run(arguments)
        assert done.returncode == 64
        assert "usage" in done.stderr.lower() or "--help" in done.stderr
