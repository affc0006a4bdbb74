"""The policies, cosignatures and anchors of a bundle (section 14)."""

from __future__ import annotations

from typing import Any

from .._notes.signed_note import SignedNote
from .._report.examination import Examination, Finding
from .anchor import check_anchor, check_beside, show
from .checkpoint import add_time_proof, check_note_cosignatures, known_witnesses
from .cosignatures import judge_newest
from .policies import DIGESTS, Shown, check_ascending, check_independence, check_orders
from .statements import check_statement

WITNESSES = "/artifacts/witnesses.json"
ANCHORS = "/artifacts/anchors.json"
CHECKPOINTS = "/artifacts/checkpoints.json"
Bundle = dict[str, Any]


def check_policies(ex: Examination, bundle: Bundle, shown: Shown) -> None:
    """Check that the policies that windows name are shown, stay one policy, and never get older."""
    artifacts, check = bundle["artifacts"], "policy"
    check_orders(ex, artifacts["witnesses.json"], WITNESSES)
    # The first checkpoint's counts; without checkpoints that of the first policy shown.
    policy_id = next(
        (one["policy_id"] for one in (*artifacts["checkpoints.json"], *artifacts["witnesses.json"]["policies"])), None
    )
    newest: dict[str, int] = {}
    for index, window in enumerate(artifacts["windows.json"]):
        for name, member in DIGESTS.items():
            path = f"/artifacts/windows.json/{index}/{member}"
            ex.looked(check)
            policy = shown.of(name).get(window[member])
            message = f"The policy that window {window['window_no']} names is not shown."
            if not ex.expect(check, policy is not None, "policy_digest_mismatch", path, message) or policy is None:
                continue
            message = "The policy has another id than the first checkpoint names."
            ex.equal(check, "policy_changed", path, policy_id, policy["policy_id"], message)
            version = policy["policy_version"]
            message = f"Window {window['window_no']} falls back to version {version} of the policy."
            ex.expect(check, version >= newest.get(name, 0), "policy_version_decreased", path, message)
            newest[name] = max(version, newest.get(name, 0))
    for index, checkpoint in enumerate(artifacts["checkpoints.json"]):
        path = f"{CHECKPOINTS}/{index}"
        message = "The checkpoint names another policy id than the first one."
        ex.equal(check, "policy_changed", f"{path}/policy_id", policy_id, checkpoint["policy_id"], message)
        check_independence(ex, checkpoint, shown, path)


def check_witnesses(
    ex: Examination, bundle: Bundle, shown: Shown, notes: list[SignedNote | None], hashes: list[str]
) -> None:
    """Check statements and cosignature lines, and the demands on the last checkpoint."""
    checkpoints = bundle["artifacts"]["checkpoints.json"]
    found = []
    for index, (checkpoint, note) in enumerate(zip(checkpoints, notes, strict=True)):
        policy = shown.witness_policies.get(checkpoint["witness_policy_digest"])
        found.append(check_note_cosignatures(ex, checkpoint, note, f"{CHECKPOINTS}/{index}", policy))
    by_id = {one["checkpoint_id"]: index for index, one in enumerate(checkpoints)}
    for index, statement in enumerate(bundle["artifacts"]["witnesses.json"]["statements"]):
        path = f"{WITNESSES}/statements/{index}"
        at = by_id.get(statement["checkpoint_id"])
        if at is None:
            message = "The statement is about no checkpoint that is here."
            ex.reject("witness", Finding("witness_statement_mismatch", f"{path}/checkpoint_id", message))
        else:
            check_statement(ex, statement, checkpoints[at], hashes[at], found[at], path)
    for checkpoint, own in zip(checkpoints, found, strict=True):
        add_time_proof(ex, own, checkpoint)
    if found:
        policy = found[-1].policy
        threshold = None if policy is None else policy["threshold"]
        judge_newest(ex, found[-1], f"{WITNESSES}/statements", threshold)


def check_anchors(ex: Examination, bundle: Bundle, shown: Shown, hashes: list[str]) -> None:
    """Check the anchors of a bundle, and the demand of the last window's policy."""
    artifacts, check = bundle["artifacts"], "anchor"
    anchors, checkpoints = artifacts["anchors.json"], artifacts["checkpoints.json"]
    check_ascending(ex, check, anchors, lambda one: one["epoch_no"], ANCHORS)
    known = dict.fromkeys(ex.trust.witnesses)
    for policy in shown.witness_policies.values():
        known |= dict.fromkeys(known_witnesses(ex, policy))
    of_checkpoints = list(zip(checkpoints, hashes, strict=True))
    newest, is_mined = [], False
    for index, anchor in enumerate(anchors):
        path = f"{ANCHORS}/{index}"
        epoch = check_anchor(ex, anchor, path, known)
        before = anchors[index - 1]
        # Epochs that do not ascend are a fault by themselves.
        if index and anchor["epoch_no"] > before["epoch_no"]:
            grows = anchor["log_size"] - before["log_size"] >= anchor["epoch_no"] - before["epoch_no"]
            message = "The log does not grow by as much as the number of the epoch."
            ex.expect(check, grows, "anchor_does_not_bind", f"{path}/log_size", message)
        if check_beside(ex, anchor, epoch, path, of_checkpoints):
            newest.append(epoch)
            # Mined by its members, whether or not the evidence holds.
            is_mined |= None not in anchor.values()
    windows = artifacts["windows.json"]
    last = shown.policies.get(windows[-1]["policy_digest"]) if windows else None
    if last is not None and last["anchor"] == "required":
        ex.looked(check)
        message = "The policy asks for a mined anchor over the last checkpoint, and none is here."
        ex.expect(check, is_mined, "anchor_missing", ANCHORS, message)
    for epoch in newest:
        show(ex, epoch)
