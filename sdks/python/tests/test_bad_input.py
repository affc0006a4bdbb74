"""What must never come out of the library: an exception of its inside, a hang, a verdict by a damaged kernel."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import svc
import svc._kernel.select as select
from conftest import FIXTURES, ROOT, read_json
from svc._errors import KernelDamaged
from svc._input import MAX_BYTES
from svc._kernel.compiled.module import kernel_bytes
from svc._kernel.select import KernelChoice
from test_fixtures import bytes_of

CASE = read_json(FIXTURES / "cases" / "receipt" / "good.json")
DATA = bytes_of(CASE)
KERNELS: tuple[KernelChoice, ...] = ("reference", "wasm")
# How many random inputs the whole run tries; a person may ask for more.
RANDOM_INPUTS = int(os.environ.get("SVC_RANDOM_INPUTS", "1000"))


def code_of(data: bytes, kernel: KernelChoice = "reference") -> tuple[str, str]:
    """Return verdict and first code of bytes."""
    report = svc.verify(data, kernel=kernel)
    return report.verdict, report.problems[0].code


@pytest.mark.parametrize("kernel", KERNELS)
def test_numbers_names_and_depth(kernel: KernelChoice) -> None:
    assert code_of(b'{"a":1e400}', kernel) == ("rejected", "lossy_number")
    assert code_of(b'{"a":9007199254740993}', kernel) == ("rejected", "lossy_number")
    assert code_of(b'{"a":1e-400}', kernel) == ("rejected", "lossy_number")
    assert code_of(b"[" * 64 + b"]" * 64, kernel)[0] == "rejected"
    assert code_of(b"[" * 65 + b"]" * 65, kernel) == ("rejected", "too_deep")
    assert code_of(b'{"a":' * 200_000, kernel) == ("rejected", "too_deep")
    # -0 is 0, so that a receipt that states it has the same hashes.
    negative = DATA.replace(b'"amount":12501', b'"amount":-0')
    assert negative != DATA
    assert "payload_hash_mismatch" in [one.code for one in svc.verify(negative, kernel=kernel).problems]
    for name in ("__class__", "__proto__", "__init__", "constructor"):
        report = svc.verify(b'{"%s":1,' % name.encode() + DATA[1:], kind="receipt", kernel=kernel)
        assert [(one.code, one.path) for one in report.problems] == [("unknown_member", f"/{name}")]


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS)
def test_many_members(kernel: KernelChoice) -> None:
    count = 1_000_000 if kernel == "wasm" else 50_000
    data = b"{%s}" % b",".join(b'"m%d":0' % index for index in range(count))
    assert svc.verify(data, kernel=kernel).verdict == "rejected"
    report = svc.verify(data[:-1] + b"," + DATA[1:], kind="receipt", kernel=kernel)
    assert len(report.problems) == 1000


def test_what_is_handed_in(tmp_path: Path) -> None:
    for wrong in ('{"a":1}', " [1]", "a\nb", "x" * 5000, "a\0b"):
        with pytest.raises(TypeError, match="bytes as they came"):
            svc.verify(wrong)
    with pytest.raises(TypeError, match="no text"):
        svc.verify(DATA, trust='{"signers":[]}')  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="list of evidence"):
        svc.verify(DATA, links=b"{}")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no kind of evidence"):
        svc.verify(DATA, kind="recipe")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no kernel is called"):
        svc.verify(DATA, kernel="fast")  # type: ignore[arg-type]
    with pytest.raises(IsADirectoryError):
        svc.verify(tmp_path)
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(svc.EvidenceTooLarge, match="shorter range"):
        svc.verify(large)


def test_a_trust_policy_of_any_values_gets_a_report() -> None:
    for trust in ({}, {"signers": 1}, {"signers": [], "x": 1}, {"signers": [], "quorum": "x"}):
        report = svc.verify(DATA, trust=trust, kernel="reference")
        assert report.verdict == "rejected"
        assert report.problems[-1].path.startswith("trust:") or report.problems[0].path.startswith("trust:")
    with pytest.raises(TypeError):
        svc.verify(DATA, trust={"signers": [object()]})


def test_a_file_that_changes_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "receipt.json"
    path.write_bytes(DATA)
    with path.open("rb") as file:
        file.read(10)
        path.write_bytes(b"")
        assert svc.verify(file, kernel="reference").verdict == "rejected"


def test_a_damaged_kernel_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    import svc._kernel.compiled.module as module

    data = bytearray(kernel_bytes())
    data[1000] ^= 1
    monkeypatch.setattr(module, "_compiled", None)
    monkeypatch.setattr(module, "kernel_bytes", lambda: bytes(data))
    select._compiled.cache_clear()
    select._compiled_if_available.cache_clear()
    try:
        for choice in ("wasm", "auto"):
            with pytest.raises(KernelDamaged, match="Install the package again"):
                svc.load_kernel(choice)
    finally:
        select._compiled.cache_clear()
        select._compiled_if_available.cache_clear()


def run(code: str, *, before: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a separate process; `before`: words of a shell before it."""
    words = ["sh", "-c", f'{before} exec "$0" -c "$1"', sys.executable, code]
    path = os.pathsep.join(filter(None, (str(ROOT / "sdks" / "python" / "src"), os.environ.get("PYTHONPATH"))))
    return subprocess.run(
        words, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path, **env}, timeout=30
    )


AUTO = f"""
import svc
data = {DATA!r}
for _ in range(70): report = svc.verify(data, trust=svc.pin_keys({CASE["trust"]["signers"][0]["public_key_hex"]!r}))
print(report.verdict, report.verifier.kernel_sha256)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "broken", ["raise OSError('no library for this platform')", "class Config:\n    pass", "import no_such_module"]
)
def test_wrong_wasmtime(tmp_path: Path, broken: str) -> None:
    (tmp_path / "wasmtime.py").write_text(broken)
    done = run(f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n" + AUTO)
    assert (done.stdout.split(), done.stderr) == (["verified", "None"], "")
    asked = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nimport svc\nsvc.load_kernel('wasm')"
    assert "KernelUnavailable" in run(asked).stderr


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit is one of Linux")
def test_little_address_space() -> None:
    for limit in (3_000_000, 400_000):
        done = run(AUTO, before=f"ulimit -v {limit};")
        assert done.stdout.startswith("verified "), done.stderr
    tight = (
        "import svc\ntry: svc.load_kernel('wasm')\nexcept svc.SvcError as error: print(error.code)\nelse: print('ok')"
    )
    assert run(tight, before="ulimit -v 400000;").stdout.strip() in ("ok", "kernel_unavailable")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_fork_after_first_use() -> None:
    code = f"""
import os, svc
trust = svc.pin_keys({CASE["trust"]["signers"][0]["public_key_hex"]!r})
check = lambda: svc.verify({DATA!r}, trust=trust, kernel="wasm").verdict
assert check() == "verified"
child = os.fork()
if child == 0:
    os._exit(0 if check() == "verified" else 1)
assert os.waitpid(child, 0)[1] == 0 and check() == "verified"
print("ok")
"""
    done = run(code)
    assert done.stdout == "ok\n", done.stderr


def test_threads() -> None:
    trust = svc.pin_keys(CASE["trust"]["signers"][0]["public_key_hex"])
    verdicts: list[str] = []

    def work() -> None:
        verdicts.extend(svc.verify(DATA, trust=trust, kernel="wasm").verdict for _ in range(20))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verdicts == ["verified"] * 80


@pytest.mark.slow
def test_an_interpreter_ends_in_silence() -> None:
    # A process of pytest holds kernels until its last moment, when modules are gone already.
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", "test_threads", __file__]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=30)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


@pytest.mark.slow
def test_an_interrupt_in_a_batch_leaves_a_kernel_that_works() -> None:
    code = f"""
import signal, svc
from svc._kernel.interface import SignatureItem
kernel = svc.load_kernel("wasm")
items = [SignatureItem(bytes(32), b"x" * 1000, bytes(64))] * 8192
def stop(*_): raise KeyboardInterrupt
signal.signal(signal.SIGALRM, stop)
count = 0
for delay in (0.0005, 0.002, 0.005, 0.01, 0.02):
    # Python ignores an interrupt that comes within a finalizer.
    for _ in range(20):
        signal.setitimer(signal.ITIMER_REAL, delay)
        try:
            for _ in range(50): kernel.verify_ed25519(items)
        except KeyboardInterrupt:
            count += 1
            break
        finally: signal.setitimer(signal.ITIMER_REAL, 0)
assert count == 5, count
trust = svc.pin_keys({CASE["trust"]["signers"][0]["public_key_hex"]!r})
assert svc.verify({DATA!r}, trust=trust, kernel="wasm").verdict == "verified"
print("ok")
"""
    done = run(code)
    assert done.stdout == "ok\n", done.stderr


def test_a_subinterpreter_has_the_reference_kernel_alone() -> None:
    # 70 signatures are more than `auto` gives to the reference kernel where it has both.
    code = f"""
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
inner = interpreters.create()
interpreters.run_string(inner, '''
import svc
print(svc.verify({DATA!r}, kernel="reference").verdict)
try:
    print(svc.verify({DATA!r}, kernel="wasm").verdict)
except svc.SvcError as error:
    print(error.code)
for _ in range(70): report = svc.verify({DATA!r})
print(report.verdict, report.verifier.kernel_sha256)
''')
"""
    done = run(code)
    assert done.stdout.split() == ["untrusted", "kernel_unavailable", "untrusted", "None"], done.stderr


def spliced(random_of: random.Random, texts: list[bytes]) -> bytes:
    """Return bytes of one text with a piece of another, cut, repeated, or a few bytes changed."""
    data = bytearray(random_of.choice(texts))
    for _ in range(random_of.randint(1, 3)):
        at, end = sorted(random_of.randint(0, len(data)) for _ in range(2))
        what = random_of.randrange(5)
        if what == 0:
            data[at:end] = b""
        elif what == 1:
            other = random_of.choice(texts)
            start = random_of.randint(0, len(other))
            data[at:at] = other[start : start + random_of.randint(0, 200)]
        elif what == 2:
            data[at : at + 1] = bytes([random_of.randrange(256)])
        elif what == 3:
            data[at:at] = random_of.choice((b'"', b"{", b"[", b"\\ud800", b"1e999", b"\x00", b"\xff", b"null", b"-"))
        else:
            data[at:at] = data[at : at + 40]
    return bytes(data)


@pytest.mark.slow
def test_no_random_input_raises() -> None:
    random_of = random.Random(31)
    paths = sorted((FIXTURES / "cases").rglob("*.json"))
    cases = [read_json(path) for path in random_of.sample(paths, 150)]
    texts = [bytes_of(case) for case in cases]
    kinds = [None, *{case["kind"] for case in cases}]
    for count in range(RANDOM_INPUTS):
        data = random_of.randbytes(random_of.randint(0, 300)) if count % 20 == 0 else spliced(random_of, texts)
        trust = random_of.choice(cases)["trust"]
        report = svc.verify(data, trust=trust, kind=random_of.choice(kinds), kernel="wasm")
        assert report.verdict in ("verified", "rejected", "untrusted")
        assert str(report)
        json.dumps(report.to_dict())


def test_the_place_of_a_problem_ends_where_its_path_is_cut() -> None:
    for length, kid in ((900, "ed25519-4c869819ecf028ae"), (1200, None)):
        data = json.dumps({"n" * length: {"kid": "ed25519-4c869819ecf028ae"}, "stream_id": "str_01k"}).encode()
        report = svc.verify(data, kind="stream", kernel="reference")
        (unknown,) = [one for one in report.problems if one.code == "unknown_member"]
        assert unknown.kid == kid
