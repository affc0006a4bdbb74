"""A side of fork evidence: what it is, and what it states."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ..._notes.checkpoint_text import CheckpointText, parse_checkpoint_text
from ..._notes.key_name import is_key_name
from ..._notes.signed_note import SignedNote, parse_note
from ..anchor import epoch_hash
from ..checkpoint import checkpoint_hash
from ..window import window_hash

# By the identifier that tells it: the type, and the schema.
TYPES = {
    "stream_event_id": ("receipt", "receipt-record.json"),
    "window_id": ("window", "window.json"),
    "checkpoint_id": ("checkpoint", "checkpoint.json"),
    "anchor_epoch_id": ("anchor", "anchor.json"),
}
_STREAM = re.compile(".*/(str_[0-7][0-9a-hjkmnp-tv-z]{25})", re.DOTALL).fullmatch


class Note(NamedTuple):
    """A note as a side."""

    note: SignedNote
    says: CheckpointText


class Side(NamedTuple):
    """A side: its type, its value, and its name in the evidence. `note`: None for all but readable notes."""

    type: str
    value: Any
    name: str
    note: Note | None = None

    @property
    def stream(self) -> str | None:
        """The stream that it is about; None for an anchor, and for a note whose origin ends in no stream id."""
        if self.note is not None:
            match = _STREAM(self.note.says.origin)
            return None if match is None else match[1]
        return None if self.type == "anchor" else self.value["stream_id"]

    @property
    def origin(self) -> str | None:
        """The origin that it states; None for receipts and windows."""
        if self.note is not None:
            return self.note.says.origin
        return self.value.get("origin") if isinstance(self.value, dict) else None

    @property
    def hash(self) -> str:
        """The hash of a window, checkpoint or epoch."""
        return {"window": window_hash, "checkpoint": checkpoint_hash, "anchor": epoch_hash}[self.type](self.value)

    @property
    def size(self) -> int:
        """The size of its tree."""
        if self.note is not None:
            return self.note.says.size
        return int(self.value["window_count" if self.type == "checkpoint" else "log_size"])

    @property
    def root(self) -> bytes:
        """The root hash of its tree."""
        if self.note is not None:
            return self.note.says.root
        return bytes.fromhex(self.value["checkpoint_root" if self.type == "checkpoint" else "epoch_root"])


def type_of(value: Any) -> tuple[str, str] | None:
    """Return the type of a side and its schema, empty for a note; None for an object that is no side."""
    if isinstance(value, str):
        return "note", ""
    return next((of for member, of in TYPES.items() if member in value), None)


def side_of(evidence: dict[str, Any], name: str) -> Side | None:
    """Return a side of evidence whose form was checked; None for a note that cannot be read."""
    value = evidence[name]
    found = type_of(value)
    assert found is not None
    if found[0] != "note":
        return Side(found[0], value, name)
    note = parse_note(value)
    says = None if note is None else parse_checkpoint_text(note.text)
    if note is None or says is None or not is_key_name(says.origin):
        return None
    return Side("note", value, name, Note(note, says))
