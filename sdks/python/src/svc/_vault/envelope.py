"""Envelopes (section 20): their seals, their content, and a lone one."""

from __future__ import annotations

from typing import Any

from .._generated.limits import VERIFIER
from .._objects.hashing import ZEROS, digest, without
from .._report.examination import Examination
from .._report.model import Subject
from .._trust.key_ring import Scope
from .._trust.policy import unix_seconds
from .assurance import Tally
from .capsule import root_of_four
from .known_keys import KnownKey, KnownKeys, check_installation_seal, note_end
from .provider import note_policy
from .statuses import from_trust

CHECK = "envelope"
MAX_AHEAD_MS: int = VERIFIER["max_vault_ahead_ms"]
Envelope = dict[str, Any]
_UNSEALED = ("seal", "startSeal", "content")


def body_of(envelope: Envelope) -> Envelope:
    """Return the sealed body of an envelope."""
    return without(envelope, *_UNSEALED)


def envelope_hash(envelope: Envelope) -> str:
    """Return the hash of an envelope."""
    return digest("envelope", body_of(envelope))


def check_seal_of(ex: Examination, envelope: Envelope, known: KnownKey, path: str) -> bool:
    """Check the seal of an envelope under the key that is known for its installation."""
    return check_installation_seal(
        ex, known, "envelope", body_of(envelope), envelope["seal"], f"{path}/seal", CHECK, "envelope_signature_invalid"
    )


def check_first(ex: Examination, envelope: Envelope, path: str, check: str) -> None:
    """Check that the previous hash is Z exactly where the number is 1."""
    is_first = envelope["previousEnvelopeHash"] == ZEROS
    message = "The first envelope of an installation follows nothing, and every other one follows another."
    where = f"{path}/previousEnvelopeHash"
    ex.expect(check, is_first == (envelope["vaultSeq"] == 1), "vault_chain_broken", where, message)


def check_content(ex: Examination, envelope: Envelope, content: dict[str, Any], path: str) -> None:
    """Check that a content is the one that the envelope binds, and that its commitments lead to the capsule's root."""
    actual = digest("content", content)
    message = "The content is not the one that the envelope binds."
    ex.equal(CHECK, "content_hash_mismatch", path, envelope["contentHash"], actual, message)
    message = "The commitments do not lead to the root of the capsule."
    holds = root_of_four(ex.kernel, content) == envelope["capsuleRoot"]
    ex.expect(CHECK, holds, "capsule_path_invalid", f"{path}/capsulePath", message)


def note_unchecked(ex: Examination, envelope: Envelope, *, is_start_told: bool) -> None:
    """Note what is not checked of an envelope outside of a bundle.

    `is_start_told`: whether an attestation tells the key of its start.
    """
    notes = []
    if "content" not in envelope:
        notes.append("the content is not here")
    if "startSeal" in envelope and not is_start_told:
        notes.append("nothing here tells the key of the start seal, which was not checked")
    if notes:
        ex.note(CHECK, "; ".join(notes))


def check_recorded(ex: Examination, content: dict[str, Any], record: dict[str, Any], path: str) -> None:
    """Check that type and time of a content are the record's, and that the vault's clock was not far ahead."""
    for name, member in (("event_type", "eventType"), ("occurred_at", "occurredAt")):
        message = f"The record has another {name} than the content."
        ex.equal(CHECK, "envelope_record_mismatch", f"{path}/{member}", record[name], content[member], message)
    message = "The vault sealed it long after the service received it, by its own clock."
    ahead = _milliseconds(content["sealedAt"]) - _milliseconds(record["received_at"])
    ex.expect(CHECK, ahead <= MAX_AHEAD_MS, "vault_clock_ahead", f"{path}/sealedAt", message)


def _milliseconds(time: str) -> int:
    return 1000 * unix_seconds(time) + int(time[20:23])


def examine_envelope(ex: Examination, envelope: Envelope) -> None:
    """Examine a lone envelope. Nothing dates it, and it counts as L0."""
    installation, stream = envelope["installationId"], envelope["streamId"]
    ex.subject = Subject(id=envelope["sourceRef"], stream_id=stream)
    scope = Scope(stream, None)
    keys = KnownKeys(ex, from_trust(ex, scope))
    known = keys.check(installation, "/installationId")
    check_seal_of(ex, envelope, known, "")
    check_first(ex, envelope, "", CHECK)
    note_unchecked(ex, envelope, is_start_told=False)
    content = envelope.get("content")
    if content is not None:
        check_content(ex, envelope, content, "/content")
    note_policy(ex, content)
    keys.check_event(known, "/seal", f"envelope {envelope['vaultSeq']} of {installation}", None, None)
    note_end(ex, known)
    tally = Tally(ex)
    if content is not None:
        ex.looked("assurance")
    tally.add(content, "L0")
    tally.show(keys, "none", [installation])
