"""Provider policies and provider results (section 29)."""

from __future__ import annotations

from typing import Any

from .._generated.codes import OWN_ACTIONS
from .._objects.hashing import digest, without
from .._objects.seal import Use, check_seal
from .._report.examination import Examination, Finding
from .._report.model import Subject
from .._trust.key_ring import Scope
from .statuses import is_in_time

CHECK = "provider"
_MATCHED_MEDIA = frozenset({"image", "audio", "video"})


def check_policies(ex: Examination, policies: list[dict[str, Any]], path: str, scope: Scope) -> dict[str, Any]:
    """Check the seals of provider policies. Returns those whose signer trust reaches, by digest."""
    found: dict[str, Any] = {}
    if not policies:
        ex.note(CHECK, "no provider policy in the bundle")
    for index, policy in enumerate(policies):
        what = f"version {policy['policyVersion']} of the provider policy"
        use = Use(CHECK, "provider-policy", f"{path}/{index}/seal", what, scope, policy["updatedAt"])
        body = without(policy, "seal")
        check_seal(ex, "provider-policy", body, policy["seal"], use)
        if is_in_time(ex, policy["seal"]["kid"], scope, policy["updatedAt"]):
            found[digest("provider-policy", body)] = policy
    return found


def check_use(
    ex: Examination, metadata: dict[str, Any], policies: dict[str, Any], path: str, *, is_trusted: bool
) -> None:
    """Check that the policy that an envelope names lets its provider do the operation. `path`: of the metadata.

    `is_trusted`: whether trust reaches the signer of the bundle. Where it does not, no policy by it counts, and the
    verdict says so already.
    """
    provider = metadata["providerId"]
    if provider is None or not is_trusted:
        return
    ex.looked(CHECK)
    policy = policies.get(metadata["providerPolicyDigest"])
    if policy is None:
        message = "The provider policy that the envelope names is not here, or does not count."
        ex.reject(CHECK, Finding("provider_not_allowed", f"{path}/providerPolicyDigest", message))
        return
    allowed = any(
        one["providerId"] == provider and metadata["operation"] in one["operations"] for one in policy["providers"]
    )
    message = f"The provider policy does not let {provider} do {metadata['operation']}."
    ex.expect(CHECK, allowed, "provider_not_allowed", f"{path}/providerId", message)


def note_policy(ex: Examination, content: dict[str, Any] | None) -> None:
    """Note what is not checked of the provider of an envelope outside of a bundle, which holds no policy."""
    if content is None:
        ex.note(CHECK, "the content is not here, which may name a provider")
    elif content["metadata"]["providerId"] is None:
        ex.note(CHECK, "it names no provider")
    else:
        ex.note(CHECK, "the provider policy that it names is not here")


def check_result(ex: Examination, result: dict[str, Any], path: str) -> None:
    """Check that a provider result does not contradict itself."""
    ex.looked(CHECK)
    code = "provider_result_inconsistent"
    message = "A mark is detected by the operation detect only."
    may_be = not result["detected"] or result["operation"] == "detect"
    if not ex.expect(CHECK, may_be, code, f"{path}/detected", message) or result["version"] == "0.1":
        return
    match = result["presented_matches_record"]
    marked, presented = result["record_marked_asset_sha256"], result["presented_sha256"]
    is_due = (
        result["detected"]
        and result["media"] in _MATCHED_MEDIA
        and result["registration_ref"] is not None
        and marked is not None
    )
    where = f"{path}/presented_matches_record"
    if (match is not None) != is_due:
        message = "A match is for a mark found in image, audio or video, of a registration with its marked file."
        ex.reject(CHECK, Finding(code, where, message))
        return
    if match is None:
        return
    message = "The presented file is not named."
    if ex.expect(CHECK, presented is not None, code, f"{path}/presented_sha256", message):
        message = "What it says of the match is not what its two hashes say."
        ex.expect(CHECK, match == (presented == marked), code, where, message)
    if match is False:
        observed = "presented_mismatch_observed: the presented file is not the one that was registered"
        before = ex.tally(CHECK).note
        ex.tally(CHECK).note = observed if before is None else f"{observed}; {before}"


def examine_provider_result(ex: Examination, result: dict[str, Any]) -> None:
    """Examine a lone provider result. Nobody signed it."""
    ex.subject = Subject(id=None)
    check_result(ex, result, "")
    message = "Nobody signed this result: only a disclosure ties it to a vault and an event."
    ex.distrust(Finding("key_not_pinned", "", message, action=OWN_ACTIONS["ask_disclosure"]), "")
