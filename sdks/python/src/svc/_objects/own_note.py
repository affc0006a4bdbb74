"""The note of a checkpoint or an epoch (sections 9 and 12): its syntax, its text, and the lines by the sealing key."""

from __future__ import annotations

from .._notes.checkpoint_text import checkpoint_text
from .._notes.signed_note import SignedNote, parse_note
from .._notes.verification_key import ED25519, key_id_of
from .._report.examination import Examination, Finding
from .seal import MISSING_KEY

CHECK = "note"


def check_note(ex: Examination, note: str, origin: str, size: int, root: str, kid: str, path: str) -> SignedNote | None:
    """Check a note against what it should say. Returns it; None where it does not have the syntax.

    `path`: that of the note. Problems: `note_malformed`, `note_mismatch`, `signature_invalid`.
    """
    ex.looked(CHECK)
    parsed = parse_note(note)
    if parsed is None:
        ex.reject(CHECK, Finding("note_malformed", path, "The note is no signed note."))
        return None
    text = checkpoint_text(origin, size, bytes.fromhex(root))
    if parsed.text != text:
        ex.reject(CHECK, Finding("note_mismatch", path, "The note says something else.", text, parsed.text))
    key = ex.keys.key(kid)
    if key is None:
        ex.unknown_keys = True
        ex.cannot_evaluate(CHECK, MISSING_KEY)
        return parsed
    own = [line for line in parsed.lines if line.name == origin and line.key_id == key_id_of(origin, ED25519, key)]
    if not own:
        ex.reject(CHECK, Finding("note_mismatch", path, f"No line of the note is by {kid}."))
    for line in own:
        ex.looked(CHECK)
        ex.signatures_checked += 1
        holds = len(line.signature) == 64 and ex.holds(key, parsed.text.encode(), line.signature)
        if not holds:
            ex.seal_broken = True
        ex.expect(CHECK, holds, "signature_invalid", path, f"A line of the note does not verify under {kid}.")
    return parsed
