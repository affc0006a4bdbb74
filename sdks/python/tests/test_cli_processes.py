"""`python -m svc verify` as a process whose files, input or output are not what it needs: it says so, and nothing else.

No call may end with a traceback, and none may hand out a verdict that nobody can read.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from conftest import FIXTURES, read_json
from test_fixtures import bytes_of

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="POSIX files and descriptors")]
CASE = read_json(FIXTURES / "cases" / "receipt" / "good.json")
PACKAGE = read_json(FIXTURES / "cases" / "truth-package" / "good.json")
SOURCES = str(Path(__file__).parent.parent / "src")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each process a folder with a good receipt and a good package."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", SOURCES)
    (tmp_path / "good.json").write_bytes(bytes_of(CASE))
    (tmp_path / "good.zip").write_bytes(bytes_of(PACKAGE))
    (tmp_path / "trust.json").write_text(json.dumps(CASE["trust"]))
    return tmp_path


def shell(line: str) -> tuple[int, str, str]:
    """Return exit code, stdout and stderr of a line in which `verify` stands for the command."""
    command = f"{sys.executable} -m svc verify --kernel reference"
    done = subprocess.run(["bash", "-c", line.replace("verify", command)], capture_output=True, text=True, timeout=30)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, " ".join(done.stderr.split())


def test_a_good_file_as_a_process() -> None:
    assert shell("verify good.json --trust trust.json")[:1] == (0,)
    assert shell("verify - --trust trust.json < good.json")[:1] == (0,)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("verify file good.zip", "is a ZIP archive"),
        ("verify - < good.zip --link good.zip", "is a ZIP archive"),
        ("verify good.json --trust good.zip", "is a ZIP archive"),
        ("verify - <&-", "Standard input is empty."),
        ("verify - < /dev/null", "Standard input is empty."),
        ("verify none.json", "there is no such file."),
        ("verify file .", "it is a folder, not a file."),
        ("verify good.json --trust .", "it is a folder, not a file."),
        ("verify .none/", "there is no such file."),
    ],
)
def test_inputs_that_are_none(line: str, says: str) -> None:
    code, out, err = shell(line)
    assert code in (64, 66)
    assert out == ""
    assert says in err


def test_json_in_the_place_of_a_package() -> None:
    code, out, err = shell("verify truth-package good.json")
    assert (code, err) == (1, "")
    assert "This looks like a receipt, and this command checks a truth package." in " ".join(out.split())


def test_output_that_nobody_gets(folder: Path) -> None:
    # A long one fails while it is written, a short one when the process ends.
    for line in ("verify good.json --trust trust.json > /dev/full", "verify --help > /dev/full"):
        code, _, err = shell(line)
        assert code == 70
        assert err.count("The output could not be written") == 1
    # Who closes an output wants none; the exit code is the verdict.
    assert shell("verify good.json --trust trust.json >&-") == (0, "", "")
    assert shell("verify good.json >&- 2>&- <&-")[0] == 2
    assert shell("verify none.json 2>&-")[0] == 66
    # A reader that goes away early.
    assert shell("verify good.json --trust trust.json | true; exit ${PIPESTATUS[0]}")[0] in (0, 141)
    code, _, err = shell("verify good.json --trust trust.json --report /dev/full --quiet")
    assert (code, "--report: Cannot write" in err) == (66, True)


def test_a_file_that_changes_while_it_is_read(folder: Path) -> None:
    """It is one text or another, or a torn one: never an error of the program, and never verified unless it is good."""
    good = bytes_of(CASE)
    stop = threading.Event()

    def change() -> None:
        path = folder / "it.json"
        while not stop.is_set():
            for data in (good, good[: len(good) // 2], good + b" " * 3_000_000, b""):
                path.write_bytes(data)

    changing = threading.Thread(target=change)
    (folder / "it.json").write_bytes(good)
    changing.start()
    try:
        for _ in range(5):
            code, out, err = shell("verify it.json --trust trust.json --json")
            assert code in (0, 1, 66)
            if code != 66:
                assert json.loads(out)["verdict"] == ("verified" if code == 0 else "rejected")
            else:
                assert "is empty." in err
    finally:
        stop.set()
        changing.join()


def test_a_sparse_file_of_five_gigabytes(folder: Path) -> None:
    with (folder / "large").open("wb") as file:
        file.truncate(5 * 1024**3)
    for words in ("large", "file large", "truth-package large", "- < large", "good.json --trust large"):
        code, out, err = shell(f"ulimit -v 4000000; verify {words}")
        assert (code, out) == (66, "")
        assert "it is larger than" in err
