"""Every form of `spec/formats.json`: its texts that match, and those that do not."""

from __future__ import annotations

import pytest

from conftest import ROOT, read_json
from svc._schema.formats import has_format

FORMATS = read_json(ROOT / "spec" / "formats.json")["formats"]


@pytest.mark.parametrize("name", list(FORMATS))
def test_texts(name: str) -> None:
    assert len(FORMATS[name]["matches"]) >= 10
    assert [text for text in FORMATS[name]["matches"] if not has_format(name, text)] == []
    assert [text for text in FORMATS[name]["fails"] if has_format(name, text)] == []
