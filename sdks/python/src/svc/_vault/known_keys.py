"""What is known of the keys of installations (section 26): pinned, vouched for by the service, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .._generated.codes import OWN_ACTIONS
from .._objects.hashing import sealed_bytes
from .._report.examination import Examination, Finding
from .._report.model import Reached
from .._trust.policy import kid_of
from .handovers import MAX_CHAIN, Handover
from .key_time import cell
from .statuses import CHECK, Placed, check_agreement

REACHED: dict[str, Reached] = {"pinned": "pinned", "service-vouched": "endorsed", "none": "none"}


@dataclass
class KnownKey:
    """The key of one installation. `statuses`: those that count, in order of their times."""

    key: bytes | None = None
    vouched: str = "none"
    statuses: list[Placed] = field(default_factory=list)

    @property
    def latest(self) -> dict[str, Any] | None:
        """The status that applies."""
        return self.statuses[-1].status if self.statuses else None

    @property
    def told_at(self) -> str | None:
        """When an end was announced first."""
        return next((one.status["statusAt"] for one in self.statuses if one.status["revokedAt"] is not None), None)


# Of each code about the time of a key; the members are those of the status that applies.
_MESSAGES = {
    "vault_key_not_yet_enrolled": "The service accepted it before {enrolledAt}, when the key of {of} was enrolled.",
    "vault_key_revoked": "The service accepted it after the end of the key of {of}, {revokedAt}.",
    "vault_revocation_time_uncertain": "The key of {of} ended at {revokedAt}, an instant that was stated backwards, "
    "and nothing that you pin shows it before that.",
    "key_time_unproven": "The key of {of} ended at {revokedAt}, and nothing that you pin shows it before that.",
}


class KnownKeys:
    """The keys of all installations that an object is about."""

    def __init__(
        self,
        ex: Examination,
        statuses: list[Placed],
        handovers: Sequence[Handover] = (),
        vouched: dict[str, bytes] | None = None,
    ) -> None:
        self.ex = ex
        self._statuses = statuses
        self._handovers = list(handovers)
        # Keys that the service vouches for without a status.
        self._vouched = vouched or {}
        self._pins = {
            one["installation_id"]: bytes.fromhex(one["public_key_hex"]) for one in ex.trust.get("vaults", ())
        }
        self._known: dict[str, KnownKey] = {}

    def of(self, installation: str) -> KnownKey:
        """Return what is known of an installation's key."""
        known = self._known.get(installation)
        if known is None:
            known = self._known[installation] = self._find(installation)
        return known

    def weakest(self) -> str:
        """Return the weakest word of those that were asked for."""
        order = ("none", "service-vouched", "pinned")
        return min((one.vouched for one in self._known.values()), key=order.index, default="none")

    def _statuses_of(self, installation: str) -> list[Placed]:
        own = [one for one in self._statuses if one.status["installationId"] == installation]
        return sorted(own, key=lambda one: one.status["statusAt"])

    def _find(self, installation: str) -> KnownKey:
        statuses = self._statuses_of(installation)
        pin = self._pins.get(installation)
        told = bytes.fromhex(statuses[-1].status["publicKeyHex"]) if statuses else self._vouched.get(installation)
        key = told if pin is None else pin
        if key is None or self._is_revoked(key):
            return KnownKey(key, "none", statuses)
        is_pinned = pin is not None or self._is_handed_over(key)
        return KnownKey(key, "pinned" if is_pinned else "service-vouched", statuses)

    def _is_revoked(self, key: bytes) -> bool:
        return kid_of(key) in self.ex.trust.revoked

    def _is_handed_over(self, key: bytes) -> bool:
        """Return whether a chain of handovers leads to a key from a pinned one."""
        reached = {one.hex() for one in self._pins.values()}
        seen: set[str] = set()
        for _ in range(MAX_CHAIN):
            reached = {
                one["newPublicKeyHex"]
                for one in self._handovers
                if one["publicKeyHex"] in reached and self._counts(one)
            } - seen
            if key.hex() in reached:
                return True
            seen |= reached
        return False

    def _counts(self, handover: Handover) -> bool:
        """Return whether the latest status of the old key agrees with a handover."""
        old, new = handover["publicKeyHex"], handover["newPublicKeyHex"]
        if self._is_revoked(bytes.fromhex(old)):
            return False
        for installation in {one.status["installationId"] for one in self._statuses}:
            latest = self._statuses_of(installation)[-1].status
            if latest["publicKeyHex"] != old or latest["revokedAt"] is None:
                continue
            successor = latest["replacedByInstallationId"]
            if latest["revocationReason"] == "key_compromise" or successor is None:
                return False
            own = [one.status["publicKeyHex"] for one in self._statuses_of(successor)]
            if successor in self._pins:
                own = [self._pins[successor].hex()]
            if own[-1:] != [new]:
                return False
        return True

    def check(self, installation: str, path: str, check: str = CHECK) -> KnownKey:
        """Check what is known of an installation's key, once. `path`: where the object names the installation."""
        if installation in self._known:
            return self._known[installation]
        ex, known = self.ex, self.of(installation)
        ex.looked(check)
        check_agreement(ex, known.statuses, check)
        pin = self._pins.get(installation)
        for status, where in known.statuses:
            if pin is not None and status["publicKeyHex"] != pin.hex():
                message = f"The service states another key of {installation} than you pin."
                ex.reject(check, Finding("vault_key_mismatch", f"{where}/publicKeyHex", message))
                break
        self._check_trust(installation, known, path, check)
        return known

    def _check_trust(self, installation: str, known: KnownKey, path: str, check: str) -> None:
        ex = self.ex
        if known.key is None:
            message = f"Nobody gave you the key of {installation}."
            ex.distrust(Finding("key_not_pinned", path, message), installation, check)
        elif self._is_revoked(known.key):
            message = f"You revoke the key of {installation}."
            ex.distrust(Finding("key_revoked", path, message), installation, check)
        elif "vaults" in ex.trust.value and known.vouched != "pinned":
            message = f"You pin keys of vaults, and none of {installation}: the service alone vouches for it."
            finding = Finding("key_not_pinned", path, message, action=OWN_ACTIONS["ask_owner"])
            ex.distrust(finding, installation, check)
        oldest = ex.trust.get("status_not_before")
        if oldest is not None and (known.latest is None or known.latest["statusAt"] < oldest):
            message = f"The latest status of {installation} is older than you accept."
            ex.distrust(Finding("vault_status_stale", path, message), installation, check)

    def check_event(
        self,
        known: KnownKey,
        path: str,
        subject: str,
        received_at: str | None,
        position: int | None,
        *,
        is_by_word: bool = False,
    ) -> None:
        """Check that an event is within the life of its key. `position`: its number, by which evidence dates it.

        `is_by_word`: whether the word of the service dates it.
        """
        ex = self.ex
        if known.latest is None:
            return
        found = cell(
            known.latest,
            known.told_at,
            received_at,
            lambda instant: is_by_word or (position is not None and ex.proven_before(instant, position)),
            ex.trust.get("vault_time") == "proven",
        )
        if found.is_noted:
            ex.found(CHECK, "the end of a key was stated backwards, and the event is proven to be before it")
        if found.code is None:
            return
        message = _MESSAGES[found.code].format(of=subject, **known.latest)
        if found.rejects:
            ex.reject(CHECK, Finding(found.code, path, message))
        else:
            ex.distrust(Finding(found.code, path, message), subject, CHECK)


def note_end(ex: Examination, known: KnownKey) -> None:
    """Note what is known of the end of a key, for an object that is about one event."""
    if known.key is None:
        return
    status = known.latest
    if status is None:
        ex.found(CHECK, "no status of the key is here, so that nothing says whether it had ended")
    elif status["revokedAt"] is None:
        ex.found(CHECK, f"by its status of {status['statusAt']} the key is active")
    else:
        ex.found(CHECK, f"by its status of {status['statusAt']} the key ended at {status['revokedAt']}")


def check_installation_seal(
    ex: Examination,
    known: KnownKey,
    tag: str,
    body: dict[str, Any],
    seal: dict[str, Any],
    path: str,
    check: str,
    code: str,
) -> bool:
    """Check a seal under the key that is known for an installation. `path`: of the seal. Returns whether it holds."""
    ex.trusted_count += 1
    if known.key is None:
        ex.unknown_keys = True
        ex.cannot_evaluate(check, "nobody gave the key of the installation")
        return False
    own = kid_of(known.key)
    if seal["kid"] != own:
        message = "The seal is by another key than the one that is known for the installation."
        ex.reject(check, Finding(code, f"{path}/kid", message, own, seal["kid"]))
        return False
    ex.looked(check)
    ex.signatures_checked += 1
    holds = ex.holds(known.key, sealed_bytes(tag, body, own), bytes.fromhex(seal["signature"]))
    if holds:
        ex.sealed_by(own, "vault", known.key, REACHED[known.vouched])
    message = f"The seal does not verify under {own}."
    return ex.expect(check, holds, code, f"{path}/signature", message)
