"""The cosignatures of a checkpoint or an epoch (section 10): statements and note lines, checked and counted."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

from .._generated.limits import VERIFIER
from .._generated.words import OWN_WITNESS_NOTE
from .._notes.cosignature import ML_DSA_LENGTH, cosigned, parse_cosignature
from .._notes.signed_note import SignedNote
from .._notes.verification_key import COSIGNATURE, ML_DSA_44, key_id_of
from .._report.examination import Examination, Finding
from .._trust.policy import Witness, unix_seconds
from .quorum import has_demand, is_met, required
from .same_witness import groups_of

SKEW_SECONDS: int = VERIFIER["cosignature_skew_seconds"]
WitnessPolicy = dict[str, Any]


@dataclass
class Cosignatures:
    """The cosignatures that hold. `times`: by witness, the earliest. `unchecked`: whose ML-DSA-44 lines are there."""

    policy: WitnessPolicy | None
    times: dict[Witness, int] = field(default_factory=dict)
    unchecked: set[str] = field(default_factory=set)

    def add(self, witness: Witness, time: int) -> None:
        """Note a cosignature that holds."""
        self.times[witness] = min(time, self.times.get(witness, time))

    def witness_ids(self, key: bytes) -> set[str]:
        """Return whose key it is by the policy."""
        keys = self.policy["witnessKeys"] if self.policy is not None else ()
        return {one["witness_id"] for one in keys if one["public_key_hex"] == key.hex()}

    def marks(self, witness: Witness) -> Iterable[Hashable]:
        """Return the marks that distinguish a witness from others."""
        yield "name", witness.name
        yield "key", witness.key
        for witness_id in self.witness_ids(witness.key):
            yield "id", witness_id

    def towards_threshold(self) -> int:
        """Return how many distinct witnesses of the policy cosigned."""
        return len(
            {
                one["witness_id"]
                for one in (self.policy["witnessKeys"] if self.policy is not None else ())
                if Witness(one["name"], bytes.fromhex(one["public_key_hex"])) in self.times
            }
        )

    def distinct(self, witnesses: Iterable[Witness]) -> int:
        """Return how many distinct ones of these witnesses cosigned."""
        return len(set(groups_of([list(self.marks(one)) for one in witnesses if one in self.times])))

    def valid(self, pinned: Iterable[Witness]) -> int:
        """Return how many distinct witnesses cosigned, pinned or listed by the policy."""
        return self.distinct(dict.fromkeys([*pinned, *self.times]))

    def earliest(self, pinned: Iterable[Witness]) -> int | None:
        """Return the earliest time of a pinned witness's cosignature, in Unix seconds."""
        return min((self.times[one] for one in pinned if one in self.times), default=None)


def policy_witness(one: dict[str, Any]) -> Witness:
    """Return the witness of a key of a witness policy."""
    return Witness(one["name"], bytes.fromhex(one["public_key_hex"]))


def check_lines(
    ex: Examination,
    found: Cosignatures,
    note: SignedNote,
    path: str,
    known: dict[Witness, dict[str, Any] | None],
    created_at: str | None,
    text: str,
    check: str = "witness",
) -> None:
    """Check the note lines by known witness keys. `known`: each with its entry in the policy that dates it, or None.

    `created_at`: before which, less 300 s, nobody can have cosigned; None for no such bound. `text`: what a
    cosignature has to be over, whatever else the note says.
    """
    names = {witness.name for witness in known}
    for line in note.lines:
        if (len(line.signature) == ML_DSA_LENGTH and line.name in names) or _is_ml_dsa(ex, line.name, line.key_id):
            found.unchecked.add(line.name)
        candidates = [
            witness
            for witness in known
            if witness.name == line.name and key_id_of(witness.name, COSIGNATURE, witness.key) == line.key_id
        ]
        if not candidates:
            continue
        cosignature = parse_cosignature(line.signature)
        if cosignature is None:
            message = f"The line of the witness {line.name} is no cosignature."
            ex.reject(check, Finding("witness_signature_invalid", path, message))
            continue
        if len(candidates) > 1:
            fitting = [one for one in candidates if _holds(ex, one, text, *cosignature)]
            candidates = fitting or candidates
        for witness in candidates[:1]:
            check_cosignature(ex, found, witness, known[witness], text, cosignature, path, created_at, check)


def _is_ml_dsa(ex: Examination, name: str, key_id: bytes) -> bool:
    text = ex.trust.text
    return text is not None and any(
        key.type == ML_DSA_44 and key.name == name and key.key_id == key_id for key in text.witnesses.values()
    )


def check_cosignature(
    ex: Examination,
    found: Cosignatures,
    witness: Witness,
    entry: dict[str, Any] | None,
    text: str,
    cosignature: tuple[int, bytes],
    path: str,
    created_at: str | None,
    check: str = "witness",
) -> None:
    """Check one cosignature: its time, and its signature."""
    time, signature = cosignature
    if created_at is not None:
        is_timely = time >= unix_seconds(created_at) - SKEW_SECONDS
        if entry is not None:
            end = entry["valid_to"]
            is_timely = is_timely and time >= unix_seconds(entry["valid_from"])
            is_timely = is_timely and (end is None or time <= unix_seconds(end))
        message = f"The cosignature of {witness.name} is outside of the time of its key, or before the checkpoint."
        ex.expect(check, is_timely, "witness_key_epoch_invalid", path, message)
    else:
        is_timely = True
    ex.looked(check)
    holds = _holds(ex, witness, text, time, signature)
    message = f"The cosignature of {witness.name} does not verify."
    if ex.expect(check, holds, "witness_signature_invalid", path, message) and is_timely:
        found.add(witness, time)


def _holds(ex: Examination, witness: Witness, text: str, time: int, signature: bytes) -> bool:
    item = cosigned(witness.key, text, time, signature)
    return ex.holds(item.public_key, item.message, item.signature)


def judge_newest(ex: Examination, found: Cosignatures, path: str, threshold: int | None) -> None:
    """Hold the newest checkpoint's cosignatures against the policy's threshold and the verifier's quorum.

    `threshold`: None where the object need not meet one. `path`: where an unmet demand is said.
    """
    pinned = ex.trust.witnesses
    shown = ex.shown
    shown.pinned = found.distinct(pinned)
    shown.valid = found.valid(pinned)
    shown.required = max(threshold or 0, required(ex.trust))
    if threshold is not None:
        ex.looked("witness")
        count = found.towards_threshold()
        message = f"The witness policy asks for {threshold} witnesses, and {count} have cosigned."
        ex.expect("witness", count >= threshold, "witness_quorum_unmet", path, message)
    judge_quorum(ex, found, path)
    left = [*_what_is_left(found, shown.pinned), *unchecked_lines(found)]
    if left:
        ex.note("witness", "; ".join(left))


def _what_is_left(found: Cosignatures, pinned: int) -> list[str]:
    """Return what cosignatures do not show of their independence; nothing where pinned witnesses cosigned."""
    if not found.times:
        return ["no cosignature by a witness of the policy or of yours"]
    listed = found.policy["witnessKeys"] if found.policy is not None else ()
    managed = {policy_witness(one) for one in listed if one["managed"]}
    if found.times.keys() <= managed:
        return [OWN_WITNESS_NOTE]
    return [] if pinned else ["you pin none of these witnesses, so their independence is not checked"]


def unchecked_lines(found: Cosignatures) -> list[str]:
    """Return that cosignatures are not checked; nothing without such cosignatures."""
    count = len(found.unchecked)
    return [f"cosignatures by ML-DSA-44 are not checked and not counted: {count}"] if count else []


def judge_quorum(ex: Examination, found: Cosignatures, path: str) -> None:
    """Hold cosignatures against the verifier's quorum."""
    cosigners = {one for one in ex.trust.witnesses if one in found.times}
    ex.quorum_met = is_met(ex.trust, cosigners, found.distinct(ex.trust.witnesses), found.marks)
    if has_demand(ex.trust):
        ex.looked("witness")
        message = "The witnesses that you pin and that have cosigned do not meet your quorum."
        ex.expect("witness", ex.quorum_met, "witness_quorum_unmet", path, message)
