"""The JSON Schemas of `spec/schemas`, each read when it is first needed: a process sees few kinds of objects."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from .._generated.schemas import SCHEMAS


@cache
def schema_of_file(name: str) -> dict[str, Any]:
    """Return the schema of this file name."""
    schema: dict[str, Any] = json.loads(SCHEMAS[name])
    return schema
