"""The parts of an object that fork evidence can be made of, with the keys that travel with them."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any

from .._kernel.interface import Kernel
from .._notes.verification_key import COSIGNATURE, key_id_of
from .._objects.fork.side import Side, side_of
from .._objects.window import window_hash
from .._trust.policy import kid_of
from .known_leaves import KnownLeaves

Value = dict[str, Any]


@dataclass
class Parts:
    """What an object shows."""

    leaves: KnownLeaves
    receipts: list[Value] = field(default_factory=list)
    windows: list[Value] = field(default_factory=list)
    checkpoints: list[Value] = field(default_factory=list)
    anchors: list[Value] = field(default_factory=list)
    notes: list[Side] = field(default_factory=list)
    policies: list[Value] = field(default_factory=list)
    hints: list[Value] = field(default_factory=list)
    endorsements: list[Value] = field(default_factory=list)

    def add_note(self, text: str) -> None:
        """Note the text of a signed note, if it is that of a tree."""
        side = side_of({"left": text}, "left")
        if side is not None:
            self.notes.append(side)


def parts_of_note(kernel: Kernel, text: str) -> Parts:
    """Return the parts of a note's text."""
    parts = Parts(KnownLeaves(kernel))
    parts.add_note(text)
    return parts


def parts_of(kernel: Kernel, kind: str, value: Value) -> Parts | None:
    """Return the parts of an object that has the form of its kind; None for a kind without any."""
    take = _TAKERS.get(kind)
    if take is None:
        return None
    parts = Parts(KnownLeaves(kernel))
    parts.hints += value.get("key_hints", ())
    parts.endorsements += value.get("key_endorsements", ())
    take(parts, value)
    for one in (*parts.checkpoints, *parts.anchors):
        parts.add_note(one["note"])
    for one in parts.checkpoints:
        parts.leaves.add_checkpoint(one)
    for one in parts.anchors:
        parts.leaves.add_anchor(one)
    return parts


def _consistency(parts: Parts, value: Value) -> None:
    parts.checkpoints += [value[name] for name in ("from_checkpoint", "to_checkpoint") if name in value]
    parts.anchors += [value[name] for name in ("from_anchor", "to_anchor") if name in value]


def _bundle(parts: Parts, bundle: Value) -> None:
    artifacts, prior = bundle["artifacts"], bundle["manifest"]["prior_windows"]
    windows, witnesses = artifacts["windows.json"], artifacts["witnesses.json"]
    parts.receipts += artifacts["receipts.json"]
    parts.windows += windows
    parts.checkpoints += artifacts["checkpoints.json"]
    parts.anchors += artifacts["anchors.json"]
    parts.policies += witnesses["policies"]
    _add_cosigned(parts, artifacts["checkpoints.json"], witnesses)
    parts.leaves.add_run(prior["window_count"], prior["frontier"], [window_hash(one) for one in windows])


def _portable(parts: Parts, portable: Value) -> None:
    window, checkpoint, last = portable.get("window"), portable.get("checkpoint"), portable.get("last_window")
    parts.receipts.append(portable["receipt"])
    if window is not None:
        has_own = "inclusion" not in portable or "inclusions" in window
        parts.windows.append(window if has_own else {**window, "inclusions": [portable["inclusion"]]})
    if last is not None:
        parts.windows.append(last["window"])
    if "anchor" in portable:
        parts.anchors.append(portable["anchor"])
    if checkpoint is None:
        return
    parts.checkpoints.append(checkpoint)
    tree = checkpoint["window_count"], checkpoint["checkpoint_root"]
    shown = [(window, portable["checkpoint_inclusion"]["path"])]
    if last is not None:
        shown.append((last["window"], last["path"]))
    for one, path in shown:
        if one is not None:
            parts.leaves.add_leaf(tree, one["window_no"] - 1, window_hash(one), path)
    if "witnesses" in portable:
        parts.policies += portable["witnesses"]["policies"]
        _add_cosigned(parts, [checkpoint], portable["witnesses"])


def _add_cosigned(parts: Parts, checkpoints: list[Value], witnesses: Value) -> None:
    """Note the notes of checkpoints with the cosignatures that are beside them as statements."""
    keys = [key for policy in witnesses["witness_policies"] for key in policy["witnessKeys"]]
    for one in witnesses["statements"]:
        checkpoint = next((own for own in checkpoints if own["checkpoint_id"] == one["checkpoint_id"]), None)
        named = [key for key in keys if (key["witness_id"], key["key_epoch"]) == (one["witness_id"], one["key_epoch"])]
        if checkpoint is None or not named:
            continue
        key = bytes.fromhex(named[0]["public_key_hex"])
        data = key_id_of(named[0]["name"], COSIGNATURE, key) + one["cosigned_at"].to_bytes(8, "big")
        line = base64.b64encode(data + bytes.fromhex(one["signature"])).decode()
        parts.add_note(f"{checkpoint['note']}— {named[0]['name']} {line}\n")
        parts.hints.append({"kid": kid_of(key), "public_key_hex": key.hex()})


_TAKERS: dict[str, Any] = {
    "receipt": lambda parts, value: parts.receipts.append(value),
    "stream": lambda parts, value: parts.receipts.extend(value["records"]),
    "window": lambda parts, value: parts.windows.append(value),
    "checkpoint": lambda parts, value: parts.checkpoints.append(value),
    "consistency": _consistency,
    "anchor": lambda parts, value: parts.anchors.append(value),
    "bundle": _bundle,
    "portable-receipt": _portable,
}
