"""Which key statuses count (section 26), and whether they contradict each other."""

from __future__ import annotations

from typing import Any, NamedTuple

from .._objects.hashing import sealed_bytes, without
from .._objects.seal import Use, check_seal
from .._report.examination import Examination, Finding
from .._trust.key_ring import Scope
from .._trust.policy import kid_of

CHECK = "vault_key"
_ORDER = ("active", "replaced", "revoked")
Status = dict[str, Any]


class Placed(NamedTuple):
    """A status that counts, and where it stands."""

    status: Status
    path: str


def body_of(status: Status) -> Status:
    """Return a status without its seal."""
    return without(status, "seal")


def check_own(ex: Examination, status: Status, path: str, scope: Scope) -> list[Placed]:
    """Check a status that is in the object. Returns it where it counts."""
    key = bytes.fromhex(status["publicKeyHex"])
    message = "The status names its key by an identifier that is not that key's."
    ex.expect(CHECK, kid_of(key) == status["keyId"], "kid_mismatch", f"{path}/keyId", message)
    what = f"the status of {status['installationId']}"
    use = Use(CHECK, "key-status", f"{path}/seal", what, scope, status["statusAt"])
    holds = check_seal(ex, "key-status", body_of(status), status["seal"], use)
    counts = holds and is_in_time(ex, status["seal"]["kid"], scope, status["statusAt"])
    return [Placed(status, path)] if counts else []


def is_in_time(ex: Examination, kid: str, scope: Scope, time: str) -> bool:
    """Return whether trust reaches a key for something that it sealed at a time."""
    reach = ex.keys.reach(kid, scope)
    return (
        reach.reason is None
        and (reach.valid_from is None or time >= reach.valid_from)
        and (reach.valid_to is None or time <= reach.valid_to)
    )


def from_trust(ex: Examination, scope: Scope) -> list[Placed]:
    """Return the statuses of the trust policy that count. Nothing dates them; what does not hold is ignored."""
    found = []
    for index, status in enumerate(ex.trust.get("key_status", ())):
        kid = status["seal"]["kid"]
        reach, key = ex.keys.reach(kid, scope), ex.keys.key(kid)
        if key is None or reach.valid_to is not None or not is_in_time(ex, kid, scope, status["statusAt"]):
            continue
        message = sealed_bytes("key-status", body_of(status), kid)
        if ex.holds(key, message, bytes.fromhex(status["seal"]["signature"])):
            found.append(Placed(status, f"trust:/key_status/{index}"))
    return found


def check_agreement(ex: Examination, statuses: list[Placed], check: str) -> None:
    """Check that statuses of one installation, in order of their times, do not contradict each other."""
    for (before, _), (after, path) in zip(statuses, statuses[1:], strict=False):
        reason = _conflict(body_of(before), body_of(after))
        if reason is not None:
            message = f"Two statuses of {after['installationId']} exclude each other: {reason}."
            ex.reject(check, Finding("vault_lifecycle_conflict", path, message))


def _conflict(before: Status, after: Status) -> str | None:
    if before["publicKeyHex"] != after["publicKeyHex"] or before["enrolledAt"] != after["enrolledAt"]:
        return "they name two keys, or two times of enrolment"
    if before["statusAt"] == after["statusAt"]:
        return None if before == after else "they differ at one time"
    if _ORDER.index(after["status"]) < _ORDER.index(before["status"]):
        return f"{after['status']} comes after {before['status']}"
    ends = before["revokedAt"], after["revokedAt"]
    return "the end moves to a later time" if None not in ends and ends[1] > ends[0] else None
