"""`python -m svc verify` and `explain`: words, exit codes, where trust comes from. Each call runs in this process."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

from conftest import FIXTURES, read_json
from svc.__main__ import main
from test_fixtures import bytes_of

CASE = read_json(FIXTURES / "cases" / "receipt" / "good.json")
KEY: str = CASE["trust"]["signers"][0]["public_key_hex"]
OTHER_KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each call a folder with a good, a rejected and a foreign file, and no trust file."""
    monkeypatch.chdir(tmp_path)
    for name in ("SVC_TRUST", "XDG_CONFIG_HOME", "USERPROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "good.json").write_bytes(bytes_of(CASE))
    bad = json.loads(bytes_of(CASE))
    bad["seq_no"] += 1
    (tmp_path / "bad.json").write_text(json.dumps(bad))
    (tmp_path / "trust.json").write_text(json.dumps(CASE["trust"]))
    (tmp_path / "letter.json").write_text("Dear reader,\nall is well.\n")
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Return exit code, stdout and stderr of a call."""
    code = main(list(words))
    out, err = capsys.readouterr()
    return code, out, err


def test_the_three_verdicts(capsys: pytest.CaptureFixture[str]) -> None:
    for words, code, word in (
        (["good.json", "--public-key-hex", KEY], 0, "VERIFIED"),
        (["bad.json", f"--public-key-hex={KEY}"], 1, "REJECTED"),
        (["good.json"], 2, "UNTRUSTED"),
        (["file", "good.json"], 1, "REJECTED"),
    ):
        found, out, err = call(capsys, "verify", "--kernel", "reference", *words)
        assert (found, out.split()[0], err) == (code, word, "")
    assert "This looks like a receipt, and this command checks a portable receipt." in out


def test_json_and_report(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, out, _ = call(capsys, "verify", "good.json", "--trust", "trust.json", "--json", "--report", "out.json")
    assert code == 0
    assert json.loads(out)["verdict"] == "verified"
    assert (folder / "out.json").read_text() == out
    code, _, err = call(capsys, "verify", "good.json", "--report", "good.json")
    assert code == 64
    assert "would write over it" in " ".join(err.split())
    assert call(capsys, "verify", "none.json", "--report", "out.json")[0] == 66
    assert json.loads((folder / "out.json").read_text())["exit_code"] == 66
    assert call(capsys, "verify", "good.json", "--quiet")[1] == ""
    assert call(capsys, "verify", "good.json", "--report", "none/out.json")[0] == 66


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "missing required argument"),
        (["good.json", "--strict"], "unknown option '--strict' (Did you mean one of --stream, --trust?)"),
        (["good.json", "--trust"], "option '--trust <path>' argument missing"),
        (["good.json", "--kernel", "fast"], "Allowed choices are wasm, reference."),
        (["good.json", "--from", "01"], "Give a whole number from 1 on, without leading zeros."),
        (["good.json", "--require", "complete"], "A bundle with a gap is rejected in any case"),
        (["good.json", "--public-key-hex", KEY[:-1]], "the key has 63 characters and must have 64."),
        (["good.json", "--public-key-hex", "-----BEGIN PRIVATE KEY-----"], "this is a private key in PEM."),
        (["good.json", "--trust", "good.json"], "looks like a receipt, which is evidence"),
        (["good.json", "--trust", "letter.json"], "is not JSON as svc reads it"),
        (["good.json", "--quorum", "0"], "is no number of witnesses"),
        (["good.json", "--quorum", "letter.json"], "the file is no C2SP tlog-policy"),
        (["good.json", "--from", "3", "--to", "2"], "Exchange them."),
        (["-", "--trust", "-"], "cannot both be standard input"),
        (["good.json", "--cross-check", "--kernel", "wasm"], "cannot be used with option"),
    ],
)
def test_wrong_calls(capsys: pytest.CaptureFixture[str], words: list[str], says: str) -> None:
    code, out, err = call(capsys, "verify", *words)
    assert (code, out) == (64, "")
    assert says in " ".join(err.split())
    assert KEY.upper() not in err


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty."),
        (b"\xef\xbb\xbf{}", "a byte-order mark before it"),
        ("{}".encode("utf-16"), "UTF-16 text"),
        (b"\x1f\x8b\x08\x00", "compressed with gzip."),
        (b"<!DOCTYPE html>\n<title>502</title>", "an HTML or XML page"),
        (b"-----BEGIN PRIVATE KEY-----\nMC4=\n", "a private key."),
        (KEY.encode(), "a key or a hash in hex."),
        (json.dumps(CASE["trust"]).encode(), "is a trust policy, not evidence."),
        (b'{"name":"app"}', "JSON, but of no kind of evidence."),
        (b"a,b\n1,2\n", "a table (CSV)."),
        (b"\x00\x01\x02\xff" * 9, "the data of another program"),
        (
            bytes_of(CASE) + b"\n" + bytes_of(CASE) + b"\n",
            "is several objects, one a line, and svc verifies one a file. Put each line",
        ),
        (
            b'{"items": [' + bytes_of(CASE) + b'], "next_cursor": null}',
            "is a list from a service. Get the receipt of an event",
        ),
        (b'{"receipts": [' + bytes_of(CASE) + b"]}", "is a list from a service"),
        (b"[" + bytes_of(CASE) + b"]", "is a list of objects, and svc verifies one a file. Put each object"),
    ],
)
def test_no_evidence(capsys: pytest.CaptureFixture[str], folder: Path, data: bytes, says: str) -> None:
    (folder / "it.json").write_bytes(data)
    code, out, err = call(capsys, "verify", "it.json", "--kernel", "reference")
    assert (code, out) == (66, "")
    assert says in " ".join(err.split())
    # Marks of evidence in it keep it rejected: nobody turns a bad verdict into a remark.
    if data.startswith(b'{"name"'):
        (folder / "it.json").write_bytes(b'{"name":"app","stream_event_id":1}')
        assert call(capsys, "verify", "it.json", "--kernel", "reference")[0] == 1


def test_whom_a_call_trusts(capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def code(*words: str) -> int:
        return call(capsys, "verify", "good.json", "--kernel", "reference", *words)[0]

    assert code() == 2
    usual = folder / "home" / ".config" / "svc" / "trust.json"
    usual.parent.mkdir(parents=True)
    usual.write_bytes((folder / "trust.json").read_bytes())
    assert code() == 0
    # A key of the call takes the place of the file, which is not added to it.
    assert code("--public-key-hex", OTHER_KEY) == 2
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "xdg"))
    assert code() == 2
    monkeypatch.setenv("SVC_TRUST", str(folder / "trust.json"))
    assert code() == 0
    monkeypatch.setenv("SVC_TRUST", str(folder / "missing.json"))
    assert code() == 66
    assert code("--trust", "trust.json", "--public-key-hex", OTHER_KEY) == 0
    (folder / "trust.json.names").write_text(json.dumps({CASE["trust"]["signers"][0]["kid"]: "acme 2026"}))
    _, out, _ = call(capsys, "verify", "good.json", "--trust", "trust.json")
    assert "acme 2026 (ed25519-" in out


def test_many_files(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (folder / "notes.txt").write_text("x")
    code, out, _ = call(capsys, "verify", ".", "--public-key-hex", KEY, "--kernel", "reference")
    assert code == 1
    assert [line.split()[0] for line in out.split("\n")[1:5]] == ["REJECTED", "VERIFIED", "NO", "NO"]
    assert "4 files: 1 verified, 2 no evidence, 1 rejected." in " ".join(out.split())
    assert "1 file was not looked at: ./notes.txt" in out
    code, out, _ = call(capsys, "verify", "good.json", "b*.json", "none.json", "--json", "--kernel", "reference")
    assert code == 1
    lines = [json.loads(line) for line in out.splitlines()]
    assert [one.get("report", one.get("error"))["verdict" if "report" in one else "outcome"] for one in lines] == [
        "untrusted",
        "rejected",
        "unreadable",
    ]


def test_a_trust_file_by_name_is_told_to_be_one(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--trust", "trust.json", "--kernel", "reference")
    # A folder or a pattern leaves it out, but a call that names it learns what it is.
    assert "trust.json" not in call(capsys, "verify", "*.json", *words)[1].replace("file trust.json", "")
    code, out, _ = call(capsys, "verify", "good.json", "trust.json", *words)
    assert code == 66
    assert '"trust.json" is a trust policy, not evidence.' in " ".join(out.split())


def test_standard_input_and_planted_options(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (folder / "good.json").open("rb") as file, io.TextIOWrapper(file) as text:
        monkeypatch.setattr(sys, "stdin", text)
        assert call(capsys, "verify", "-", "--public-key-hex", KEY, "--kernel", "reference")[0] == 0
    (folder / "--public-key-hex=ab").write_text("")
    code, _, err = call(capsys, "verify", "good.json", "--public-key-hex=ab")
    assert code == 64
    assert "a file in this folder is called so too" in " ".join(err.split())


@pytest.mark.skipif(os.name == "nt", reason="Windows has no named pipes of this sort")
def test_files_that_cannot_be_read(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (folder / "loop").symlink_to(folder / "loop")
    with (folder / "large").open("wb") as file:
        file.truncate(5 * 1024**3)
    for name, says in (
        ("none.json", "there is no such file."),
        ("loop", "its symbolic links lead in a circle."),
        ("good.json/x", "a part of the path is not a folder."),
        ("n" * 5000, "the name is too long."),
        ("large", "it is larger than 1073741824 bytes"),
    ):
        code, _, err = call(capsys, "verify", name)
        assert code == 66
        assert says in " ".join(err.split())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root becomes somebody else")
def test_files_that_nobody_may_read(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (folder / "closed").mkdir(0o700)
    (folder / "closed" / "it.json").write_bytes(b"{}")
    (folder / "secret.json").write_bytes(b"{}")
    (folder / "secret.json").chmod(0)
    parents = [one for one in folder.parents if one.stat().st_mode & 0o11 != 0o11]
    # What calls import must be there before.
    assert call(capsys, "verify", "none.json")[0] == 66
    assert call(capsys, "verify", ".", "--kernel", "reference")[0] == 1
    modes = [(one, one.stat().st_mode) for one in (folder, *parents)]
    for one, mode in modes:
        one.chmod(mode | 0o55)
    os.seteuid(65534)
    try:
        for name in ("secret.json", "closed/it.json"):
            code, _, err = call(capsys, "verify", name)
            assert code == 66
            assert "you are not allowed to read it." in " ".join(err.split())
        code, out, err = call(capsys, "verify", ".", "--kernel", "reference")
        assert (code, err) == (1, ""), err
        assert "you are not allowed to look into it." in " ".join(out.split())
    finally:
        os.seteuid(0)
        for one, mode in modes:
            one.chmod(mode)


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "explain", "range_incomplete")
    assert code == 0
    assert out.startswith("range_incomplete, in a report\n")
    assert "What to do: " in out
    code, out, _ = call(capsys, "explain", "trust", "--json")
    assert json.loads(out)["check"]["section"] == 4
    code, out, _ = call(capsys, "explain")
    assert max(map(len, out.splitlines())) <= 80
    code, _, err = call(capsys, "explain", "range-incomplet")
    assert code == 64
    assert "Nearest are range_incomplete" in " ".join(err.split())


def test_each_verdict_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    for verdict in ("verified", "rejected", "untrusted"):
        code, out, _ = call(capsys, "explain", verdict)
        assert (code, out.split("\n")[0]) == (0, f"{verdict}, a verdict")
        assert "What to do: " in out
        assert json.loads(call(capsys, "explain", verdict, "--json")[1])["verdict"]["verdict"] == verdict


def test_evidence_of_a_fork_that_holds_is_bad_news(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    fork = read_json(FIXTURES / "cases" / "fork" / "good-checkpoint-two-sizes.json")
    (folder / "fork.json").write_bytes(bytes_of(fork))
    code, out, _ = call(capsys, "verify", "fork.json", "--kernel", "reference", "--public-key-hex", KEY)
    assert (code, out.split()[0]) == (1, "FORK")
    shown = "evidence of a fork in str_01k30000000000000000000001, within the first 4 windows, and it holds"
    assert shown in " ".join(out.split())
    assert call(capsys, "verify", "fork.json", "--kernel", "reference")[0] == 2


def test_nobody_sealed_what_was_not_checked(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    sides = read_json(FIXTURES / "cases" / "fork" / "good-head-two-receipts.json")
    evidence = json.loads(bytes_of(sides))
    for name, side in (("left.json", "left"), ("right.json", "right")):
        (folder / name).write_text(json.dumps(evidence[side]))
    code, out, _ = call(capsys, "verify", "left.json", "right.json", "--kernel", "reference")
    text = " ".join(out.split())
    assert code == 2
    assert "Not every signature of left.json and right.json was checked: anybody could have made such a file." in text
    assert "sealed" not in text
    _, out, _ = call(capsys, "verify", "left.json", "--kernel", "reference", "--json")
    assert ", in whose name the receipt of event " in out
    assert "which sealed" not in out


def test_other_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "--version")[1].startswith("svc-sdk 0.5.0 (kernel ")
    assert call(capsys, "--help")[0] == 0
    assert "The npm svc has it: svc trust --help" in call(capsys, "trust")[2]
    assert call(capsys, "verify", "page", "verify.html")[0] == 64
    assert "The npm svc does: svc verify page" in call(capsys, "verify", "page", "verify.html")[2]
    assert "unknown command 'trusts'" in call(capsys, "trusts")[2]
    assert call(capsys)[0] == 64
    assert "--public-key-hex <key>" in call(capsys, "verify", "--help")[1]
