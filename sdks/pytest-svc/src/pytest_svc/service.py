"""A service for tests: the real server as a separate process, on a free port, in a folder that goes with it."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# All tests come from one address, and as fast as they can.
_SETTINGS = {
    "SVC_LOG_LEVEL": "error",
    "SVC_SEAL_INTERVAL_MS": "20",
    "SVC_ADDRESS_REQUESTS_PER_SECOND": "0",
    "SVC_KEY_REQUESTS_PER_SECOND": "0",
}
_STOP_SECONDS = 20


@dataclass(frozen=True, kw_only=True)
class Service:
    """A running service. The keys are in no repr."""

    # A free port of the loopback interface.
    base_url: str
    # A system key that may do everything but erase.
    api_key: str = field(repr=False)
    # A system key that may only erase.
    erase_key: str = field(repr=False)
    # The key to pin: `svc.pin_keys(public_key_hex)`.
    public_key_hex: str
    system_id: str
    # A stream to append to.
    stream_id: str


@contextmanager
def running_service(node: Path, program: Path) -> Iterator[Service]:
    """Make a deployment and serve it until the end of the block; then all that was recorded is gone.

    `node`: Node 24. `program`: `svc-server.mjs`. Raises RuntimeError where it does not start.
    """
    with tempfile.TemporaryDirectory(prefix="pytest-svc-") as folder:
        data = ["--data", os.path.join(folder, "data"), "--json"]
        command = [str(node), str(program)]
        made = _output([*command, "init", "--origin", "test.example/evidence", *data])
        erasing = _output([*command, "keys", "create", "--allow", "erase", *data])
        words = [*command, "start", "--port", "0", *data]
        with subprocess.Popen(words, env=_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as server:
            try:
                assert server.stdout is not None
                line = server.stdout.readline()
                if not line:
                    raise RuntimeError(f"the service ended with {server.wait()} before it listened")
                yield Service(
                    base_url=json.loads(line)["url"],
                    api_key=made["api_key"],
                    erase_key=erasing["api_key"],
                    public_key_hex=made["public_key_hex"],
                    system_id=made["system_id"],
                    stream_id=made["stream_id"],
                )
            finally:
                _end(server)


def _output(words: list[str]) -> dict[str, Any]:
    done = subprocess.run(words, env=_environment(), stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(
            f"svc-server {words[2]} ended with {done.returncode}: {done.stderr.decode(errors='replace')}"
        )
    value: dict[str, Any] = json.loads(done.stdout)
    return value


def _environment() -> Mapping[str, str]:
    """Return the environment of the service: nothing of the caller's settings reaches it."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP", "TMPDIR") if name in os.environ}
    return {**kept, **_SETTINGS}


def _end(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
