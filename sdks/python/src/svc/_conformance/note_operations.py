"""The operations over notes, cosignatures and tlog-policies (level 3)."""

from __future__ import annotations

from typing import Any

from .._kernel.interface import Kernel, SignatureItem
from .._notes.cosignature import cosigned, parse_cosignature
from .._notes.signed_note import NoteLine, SignedNote, parse_note
from .._notes.verification_key import (
    COSIGNATURE,
    ED25519,
    KeyFault,
    VerificationKey,
    parse_verification_key,
)
from .._trust.tlog_policy import PolicyFault, parse_tlog_policy
from .request import Refused, items, text

Answer = dict[str, Any]


def note_open(kernel: Kernel, request: Answer) -> Answer:
    """Return who signed a note, of those whose keys are given."""
    note = text(request["note"], "note")
    vkeys = [text(one, f"vkeys/{index}") for index, one in enumerate(items(request["vkeys"], "vkeys"))]
    keys = [_key(one, (ED25519, COSIGNATURE)) for one in vkeys]
    parsed = _parsed(note)
    verified: dict[str, None] = {}
    ignored = 0
    for line in parsed.lines:
        own = [key for key in keys if key.name == line.name and key.key_id == line.key_id]
        if not own:
            ignored += 1
            continue
        if not any(_holds(kernel, key, parsed.text, line) for key in own):
            is_cosignature = all(key.type == COSIGNATURE for key in own)
            raise Refused("witness_signature_invalid" if is_cosignature else "signature_invalid")
        verified[line.name] = None
    if not verified:
        raise Refused("key_not_pinned")
    return {"text": parsed.text, "verified": list(verified), "ignored": ignored}


def cosignature_verify(kernel: Kernel, request: Answer) -> Answer:
    """Return the earliest time at which a witness cosigned a note."""
    note = text(request["note"], "note")
    key = _key(text(request["vkey"], "vkey"), (COSIGNATURE,))
    parsed = _parsed(note)
    times = []
    for line in parsed.lines:
        if line.name != key.name or line.key_id != key.key_id:
            continue
        cosignature = parse_cosignature(line.signature)
        if cosignature is None or not _holds(kernel, key, parsed.text, line):
            raise Refused("witness_signature_invalid")
        times.append(cosignature.time)
    if not times:
        raise Refused("key_not_pinned")
    return {"time": min(times)}


def tlog_policy_parse(kernel: Kernel, request: Answer) -> Answer:
    """Return whether a text is a tlog-policy."""
    try:
        parse_tlog_policy(text(request["text"], "text"))
    except PolicyFault as fault:
        raise Refused(fault.code, str(fault), line=fault.line) from None
    return {}


def _parsed(note: str) -> SignedNote:
    parsed = parse_note(note)
    if parsed is None:
        raise Refused("note_malformed")
    return parsed


def _key(vkey: str, types: tuple[int, ...]) -> VerificationKey:
    try:
        key = parse_verification_key(vkey, (ED25519, COSIGNATURE))
    except KeyFault as fault:
        raise Refused(fault.code) from None
    if key.type not in types:
        raise Refused("unsupported_object")
    return key


def _holds(kernel: Kernel, key: VerificationKey, note_text: str, line: NoteLine) -> bool:
    if key.type == ED25519:
        return kernel.verify_ed25519([SignatureItem(key.key, note_text.encode(), line.signature)])[0]
    cosignature = parse_cosignature(line.signature)
    return cosignature is not None and kernel.verify_ed25519([cosigned(key.key, note_text, *cosignature)])[0]
