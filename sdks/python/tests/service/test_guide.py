"""Every program of the guide runs, one after the other in an empty folder, and prints what is behind its prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from .running import Service

PAGE = Path(__file__).resolve().parents[4] / "docs" / "sdk-python.md"
_BLOCK = re.compile(r"^```python run\n# (\w+\.py)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_EXPECTED = re.compile(r"^\s*print\(.*\)  # (.*)$", re.MULTILINE)


def test_every_program_of_the_guide(service: Service, new_stream: Callable[[], str], tmp_path: Path) -> None:
    page = PAGE.read_text("utf-8")
    programs = _BLOCK.findall(page)
    assert len(programs) == page.count("```python"), "a block that nothing runs"
    environment = {
        **os.environ,
        "SVC_URL": service.base_url,
        "SVC_API_KEY": service.api_key,
        "SVC_PUBLIC_KEY": service.public_key_hex,
        "SVC_STREAM": new_stream(),
        "PYTHONPATH": os.pathsep.join([str(PAGE.parents[1] / "sdks/python/src"), str(tmp_path)]),
    }
    for name, text in programs:
        (tmp_path / name).write_text(text, "utf-8")
        words = [sys.executable, name]
        done = subprocess.run(
            words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=30
        )
        assert (done.returncode, done.stderr) == (0, ""), f"{name}: {done.stderr}"
        assert done.stdout.splitlines() == _EXPECTED.findall(text), name
