"""`verify truth-package`: its own options, and the body that its `--report` writes."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from conftest import FIXTURES, read_json
from svc.__main__ import main
from test_fixtures import bytes_of

CASE = read_json(FIXTURES / "cases" / "truth-package" / "good.json")
DATA = bytes_of(CASE)
SHA256 = sha256(DATA).hexdigest()
ACCESS = "tpa_01m83pvjymbxdgh9p5fh129r5j"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each call a folder with a package and a trust file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "it.zip").write_bytes(DATA)
    (tmp_path / "trust.json").write_text(json.dumps(CASE["trust"]))
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Return exit code, stdout and stderr of a call, as unwrapped text."""
    code = main(["verify", *words])
    out, err = capsys.readouterr()
    return code, " ".join(out.split()), " ".join(err.split())


def test_the_report_to_the_service(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    challenge = "5" * 64
    words = ["--sha256", SHA256, "--access-id", ACCESS, "--challenge", challenge, "--report", "out.json", "--json"]
    code, out, _ = call(capsys, "truth-package", "it.zip", "--trust", "trust.json", *words)
    assert code == 0
    body = json.loads((folder / "out.json").read_text())
    about = body.pop("verificationReport")
    assert body == {
        "verifierKind": "svc-python",
        "verifierVersion": json.loads(out)["verifier"]["version"],
        "accessId": ACCESS,
        "proof": sha256(challenge.encode() + DATA).hexdigest(),
    }
    manifest = about.pop("manifestSha256")
    assert about == {"ok": True, "packageSha256": SHA256, "verifiedArtifacts": 3, "problems": []}
    assert len(manifest) == 64
    assert manifest != SHA256


def test_a_damaged_package_says_how_much_of_it_held(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    damaged = read_json(FIXTURES / "cases" / "truth-package" / "content-damaged.json")
    (folder / "it.zip").write_bytes(bytes_of(damaged))
    assert call(capsys, "truth-package", "it.zip", "--report", "out.json")[0] == 1
    body = json.loads((folder / "out.json").read_text())
    assert (body["accessId"], body["proof"]) == (None, None)
    about = body["verificationReport"]
    assert about["ok"] is False
    assert about["verifiedArtifacts"] < 3
    assert damaged["code"] in [one["code"] for one in about["problems"]]
    # The page says nothing about the content of a file that is no archive.
    (folder / "it.zip").write_bytes(bytes_of(damaged)[:-1])
    code, out, _ = call(capsys, "truth-package", "it.zip")
    assert (code, "archive_malformed" in out, "Not checked" in out) == (1, True, False)
    (folder / "it.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    assert call(capsys, "truth-package", "it.zip", "--report", "out.json")[0] in (1, 66)


def test_another_package_than_the_one_that_is_meant(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(capsys, "truth-package", "it.zip", "--sha256", "0" * 64)
    assert (code, out) == (1, "")
    assert f'"it.zip" is another file than the one that you mean: its SHA-256 is {SHA256}.' in err


def test_the_next_call_repeats_the_words(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "truth-package", "it.zip", "--sha256", SHA256)
    assert code == 2
    assert f"svc verify truth-package it.zip --sha256 {SHA256}" in out.replace(" \\", "")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["truth-package", "it.zip", "--sha256", "abc"], "A SHA-256 is 64 lowercase hex characters."),
        (["truth-package", "it.zip", "--sha256", "A" * 64], "Write it in lowercase."),
        (["truth-package", "it.zip", "--challenge", "x"], "A challenge is 64 lowercase hex characters."),
        (["truth-package", "it.zip", "--access-id", "tpa_8"], "An access is named by tpa_ and 26 characters."),
        (["it.zip", "--sha256", SHA256], "svc verify truth-package --sha256"),
        (["file", "it.zip", "--challenge", "5" * 64], "option '--challenge' is of truth-package alone"),
    ],
)
def test_wrong_calls(capsys: pytest.CaptureFixture[str], words: list[str], says: str) -> None:
    code, out, err = call(capsys, *words)
    assert (code, out) == (64, "")
    assert says in err
