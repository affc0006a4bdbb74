"""The trust policy (section 16), read once: what the verifier brings along. Nothing in the evidence can widen it."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from .._schema.check import Fault, faults_of
from .._schema.formats import has_format

if TYPE_CHECKING:
    from .tlog_policy import TlogPolicy


def kid_of(public_key: bytes) -> str:
    """Return the key identifier of a raw public key (section 3)."""
    return f"ed25519-{sha256(public_key).hexdigest()[:16]}"


class Pin(NamedTuple):
    """A pinned signer; None where the pin has no such limit."""

    kid: str
    key: bytes
    origin: str | None = None
    streams: frozenset[str] | None = None
    valid_to: str | None = None
    may_endorse: bool = True

    def covers(self, stream: str | None, origin: str | None, is_service_origin: bool) -> bool:
        """Return whether the pin is for this stream and origin; None where the object states none."""
        if self.streams is not None and stream is not None and stream not in self.streams:
            return False
        if self.origin is None or origin is None:
            return True
        return origin == (self.origin if is_service_origin else f"{self.origin}/{stream}")


class Witness(NamedTuple):
    """A witness: name and key together."""

    name: str
    key: bytes


@dataclass(frozen=True)
class TrustPolicy:
    """A policy that is well formed. `value` holds the members that nothing was made of."""

    value: dict[str, Any]
    pins: dict[str, list[Pin]] = field(default_factory=dict)
    revoked: frozenset[str] = frozenset()
    # The pinned witnesses whose keys are not revoked.
    witnesses: tuple[Witness, ...] = ()
    quorum: int | None = None
    text: TlogPolicy | None = None

    def get(self, name: str, default: Any = None) -> Any:
        """Return a member as it stands."""
        return self.value.get(name, default)


NOBODY = TrustPolicy({"signers": []})


def read_trust(value: Any) -> tuple[TrustPolicy, list[Fault]]:
    """Return a policy, and the faults of one that is not well formed: then the policy trusts nobody."""
    faults = faults_of("trust-policy.json", value, "trust:")
    if faults:
        return NOBODY, faults
    faults = _faults_between(value)
    quorum = value.get("quorum")
    text: TlogPolicy | None = None
    if isinstance(quorum, str):
        from .tlog_policy import PolicyFault, parse_tlog_policy

        try:
            text = parse_tlog_policy(quorum)
        except PolicyFault as fault:
            faults.append(Fault(fault.code, "trust:/quorum", str(fault)))
    return (NOBODY, faults) if faults else (_policy(value, text), [])


def _policy(value: dict[str, Any], text: TlogPolicy | None) -> TrustPolicy:
    pins: dict[str, list[Pin]] = {}
    signers = [_pin(one) for one in value["signers"]]
    witnesses = [Witness(one["name"], bytes.fromhex(one["public_key_hex"])) for one in value.get("witnesses", ())]
    if text is not None:
        from .text_quorum import log_pins, text_witnesses

        signers += log_pins(text)
        witnesses += text_witnesses(text)
    for pin in signers:
        pins.setdefault(pin.kid, []).append(pin)
    revoked = frozenset(value.get("revoked", ()))
    return TrustPolicy(
        value,
        pins,
        revoked,
        tuple(one for one in dict.fromkeys(witnesses) if kid_of(one.key) not in revoked),
        value["quorum"] if isinstance(value.get("quorum"), int) else None,
        text,
    )


def _pin(signer: dict[str, Any]) -> Pin:
    streams = signer.get("streams")
    return Pin(
        signer["kid"],
        bytes.fromhex(signer["public_key_hex"]),
        signer.get("origin"),
        None if streams is None else frozenset(streams),
        signer.get("valid_to"),
        signer.get("endorse", True),
    )


def _faults_between(value: dict[str, Any]) -> list[Fault]:
    """Return the faults between members: identifiers of other keys, installations that appear twice."""
    faults = [
        Fault("kid_mismatch", f"trust:/signers/{index}/kid", f"{signer['kid']} is not the identifier of its key.")
        for index, signer in enumerate(value["signers"])
        if kid_of(bytes.fromhex(signer["public_key_hex"])) != signer["kid"]
    ]
    seen: set[str] = set()
    for index, vault in enumerate(value.get("vaults", ())):
        if vault["installation_id"] in seen:
            path = f"trust:/vaults/{index}/installation_id"
            faults.append(Fault("malformed", path, "The installation appears twice."))
        seen.add(vault["installation_id"])
    for index, status in enumerate(value.get("key_status", ())):
        faults += status_faults(status, f"trust:/key_status/{index}")
        if kid_of(bytes.fromhex(status["publicKeyHex"])) != status["keyId"]:
            path = f"trust:/key_status/{index}/keyId"
            faults.append(Fault("kid_mismatch", path, f"{status['keyId']} is not the identifier of its key."))
    return faults


def status_faults(status: dict[str, Any], path: str) -> list[Fault]:
    """Return the members of a key status that do not fit each other (section 26)."""
    kind, reason, end = status["status"], status["revocationReason"], status["revokedAt"]
    successor, enrolled = status["replacedByInstallationId"], status["enrolledAt"]
    is_active, is_replaced = kind == "active", kind == "replaced"
    holding = {
        "revokedAt": end is None if is_active else end is not None and enrolled <= end,
        "revocationReason": reason is None
        if is_active
        else reason is not None and is_replaced == (reason == "superseded"),
        "replacedByInstallationId": successor is None
        if is_active
        else not is_replaced or successor not in (None, status["installationId"]),
        "revocationInstantReconstructed": kind == "revoked" or not status["revocationInstantReconstructed"],
        "statusAt": (end or enrolled) <= status["statusAt"],
    }
    return [
        Fault("malformed", f"{path}/{name}", f"A key that is {kind} has another {name}.")
        for name, holds in holding.items()
        if not holds
    ]


def unix_seconds(time: str) -> int:
    """Return the Unix seconds of a service time, rounded down."""
    year, month, day = int(time[:4]), int(time[5:7]), int(time[8:10])
    # Days by the calendar that goes on before 1582, from March on, so that leap days stand last.
    shifted = year - (month <= 2)
    days = 365 * shifted + shifted // 4 - shifted // 100 + shifted // 400 + (153 * ((month + 9) % 12) + 2) // 5 + day
    return (days - 719469) * 86400 + int(time[11:13]) * 3600 + int(time[14:16]) * 60 + int(time[17:19])


def require_format(name: str, text: str) -> None:
    """Raise ValueError for a text that does not have a form."""
    if not has_format(name, text):
        raise ValueError(f"{text!r} does not have the form of a {name}")
