"""The kind of an object, found from its members (section 16), and the schema that it is checked by."""

from __future__ import annotations

from typing import Any

from .._generated.kinds import KINDS
from .._schema.schemas import schema_of_file

_ANCHOR_CONSISTENCY = "anchor-consistency.json"


def find_kind(value: dict[str, Any]) -> str | None:
    """Return the kind of an object; None for an object of no kind."""
    for kind, of in KINDS.items():
        if is_marked(kind, value) and of["marks"]:
            return str(kind)
    best: tuple[int, str] | None = None
    candidates = [(kind, _file(of["schemas"][0])) for kind, of in KINDS.items() if of["is_json"] and not of["marks"]]
    for kind, schema in [*candidates, ("consistency", _ANCHOR_CONSISTENCY)]:
        shared = _shared(schema, value)
        if shared is not None and (best is None or shared > best[0]):
            best = (shared, kind)
    return None if best is None else best[1]


def is_marked(kind: str, value: dict[str, Any]) -> bool:
    """Return whether an object has the members that mark a kind; True for a kind without marks."""
    marks = KINDS[kind]["marks"]
    return not marks or any(all(name in value for name in mark) for mark in marks)


def has_provenance(bundle: Any) -> bool:
    """Return whether a bundle has something of what only a bundle of envelopes has (section 27)."""
    manifest = bundle.get("manifest") if isinstance(bundle, dict) else None
    artifacts = bundle.get("artifacts") if isinstance(bundle, dict) else None
    of_manifest = ("provenance_root", "provenance_event_count", "vault_key_lifecycle")
    return (isinstance(artifacts, dict) and "provenance.json" in artifacts) or (
        isinstance(manifest, dict) and any(name in manifest for name in of_manifest)
    )


def schema_of(kind: str, value: Any) -> str:
    """Return the schema that a value of this kind is checked by, as a file name."""
    schemas = [_file(path) for path in KINDS[kind]["schemas"]]
    if not isinstance(value, dict) or len(schemas) == 1:
        return schemas[0]
    if kind == "consistency":
        members = [len(value.keys() & schema_of_file(schema)["properties"].keys()) for schema in schemas]
        return schemas[1] if members[1] > members[0] else schemas[0]
    if kind == "provenance-inclusion":
        return schemas[0] if "inclusion" in value else schemas[1]
    if kind == "provider-result":
        return schemas[1] if value.get("version") == "0.1" else schemas[0]
    return schemas[0]


def _file(path: str) -> str:
    return path.removeprefix("schemas/")


def _shared(schema: str, value: dict[str, Any]) -> int | None:
    """Return how many members an object shares with a schema; None where it lacks more than half of the demanded."""
    of = schema_of_file(schema)
    has = sum(name in value for name in of["required"])
    if 2 * has < len(of["required"]) or has == 0:
        return None
    return sum(name in of["properties"] for name in value)
