"""Fork evidence in a bundle (section 11): what is valid rejects the bundle, and so does what is not."""

from __future__ import annotations

from typing import Any

from .._report.examination import Examination, Finding
from .._trust.key_ring import KeyRing, Scope
from .._trust.policy import Witness
from .cosignatures import policy_witness
from .fork.examine import INVALID, Made, judge, merged_keys
from .fork.side import side_of
from .fork.signers import Signer, are_one
from .policies import Shown

CHECK = "fork"
PATH = "/artifacts/forks.json"


def check_forks(ex: Examination, bundle: dict[str, Any], shown: Shown) -> None:
    """Check the fork evidence of a bundle. Problems: `fork_detected`, `fork_evidence_invalid`."""
    forks = bundle["artifacts"].get("forks.json")
    if forks is None:
        return
    keys, holds = merged_keys(ex, [bundle, *forks])
    message = "The keys that travel with the fork evidence do not hold."
    if not ex.expect(CHECK, holds, INVALID, PATH, message):
        ex.looked(CHECK, len(forks))
        return
    witnesses = list(ex.trust.witnesses)
    for checkpoint in bundle["artifacts"]["checkpoints.json"]:
        policy = shown.witness_policies.get(checkpoint["witness_policy_digest"])
        witnesses += [policy_witness(one) for one in (policy["witnessKeys"] if policy is not None else ())]
    for index, evidence in enumerate(forks):
        ex.looked(CHECK)
        fault = _fault(ex, bundle, evidence, keys, list(dict.fromkeys(witnesses)))
        if fault is None:
            message = "The bundle carries evidence of a fork, and it holds."
            ex.reject(CHECK, Finding("fork_detected", f"{PATH}/{index}", message))
        else:
            ex.reject(CHECK, Finding(INVALID, f"{PATH}/{index}{fault[0]}", fault[1]))


def _fault(
    ex: Examination, bundle: dict[str, Any], evidence: dict[str, Any], keys: KeyRing, witnesses: list[Witness]
) -> tuple[str, str] | None:
    """Return the path and the reason of why evidence convicts nobody here; None where it convicts."""
    part = Examination(ex.kernel, ex.trust)
    part.keys = keys
    stream = bundle["manifest"]["stream_id"]
    checkpoints = bundle["artifacts"]["checkpoints.json"]
    origin = checkpoints[-1]["origin"] if checkpoints else None
    if evidence["stream_id"] not in (stream, None):
        return "/stream_id", "The evidence is about another stream than the bundle."
    scope = Scope(stream, origin)
    if evidence["stream_id"] is None:
        scope = Scope(None, None if origin is None else origin.rpartition("/")[0], is_service_origin=True)
    if not _is_of_origin(evidence, scope.origin):
        return "/left", "The evidence is about another log than the bundle's."
    is_witness = evidence["kind"] == "witness"

    def rank(left: tuple[Made, Signer], right: tuple[Made, Signer]) -> int:
        one, other = left[1], right[1]
        if one.key is None or other.key is None or not are_one(part, one.kid, other.kid, is_witness=is_witness):
            return 0
        return int(is_witness or all(_counts(ex, keys, kid, scope) for kid in (one.kid, other.kid)))

    judge(part, evidence, "", witnesses, rank, with_hints=False, late_check=CHECK)
    if part.rejections:
        return part.rejections[0][1].path, part.rejections[0][1].message
    return None


def _is_of_origin(evidence: dict[str, Any], origin: str | None) -> bool:
    """Return whether a side that states an origin states this one of the bundle, if any does."""
    sides = [side_of(evidence, name) for name in ("left", "right")]
    stated = [one.origin for one in sides if one is not None and one.origin is not None]
    return not stated or origin in stated


def _counts(ex: Examination, keys: KeyRing, kid: str, scope: Scope) -> bool:
    """Return whether a key counts in the bundle: trusted for its stream, or of a seal in it, or endorsed by one."""
    if keys.reach(kid, scope).reason is None or kid in ex.sealers:
        return True
    return any(keys.leads(sealer, kid) for sealer in ex.sealers)
