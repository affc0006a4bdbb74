"""Levels of assurance (section 33): claims, what substantiates them, and what counts for the verifier."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from operator import itemgetter
from typing import Any

from .._report.examination import Examination, Finding
from .._report.model import Provenance
from .._trust.policy import kid_of

CHECK = "assurance"
LEVELS = ("L0", "L1", "L2", "L3")
_CUSTODIES = ("none", "ceremony", "x509")
# Objects that show events and no envelopes never count at a level.
WITHOUT_ENVELOPES = frozenset(
    {"receipt", "portable-receipt", "stream", "bundle", "truth-package", "inclusion", "provenance-inclusion",
     "provider-result"}
)  # fmt: skip


class Tally:
    """The levels of the events of an object, claimed and effective."""

    def __init__(self, ex: Examination) -> None:
        self.ex = ex
        self.events = 0
        self.claimed: dict[str, int] = dict.fromkeys(("L0", "L1", "L2", "unknown"), 0)
        self.effective: dict[str, int] = dict.fromkeys(LEVELS, 0)
        self.results: list[dict[str, Any]] = []
        # The lowest level so far, and what its first event lacks for the next one.
        self._lowest: tuple[str, str] | None = None

    def add(self, content: dict[str, Any] | None, effective: str, carrying: Counting | None = None) -> None:
        """Count an event. `carrying`: the result that carries its claim."""
        self.events += 1
        if self._lowest is None or effective < self._lowest[0]:
            self._lowest = effective, self._missing(content, effective, carrying)
        self.claimed["unknown" if content is None else content["assurance"]["level"]] += 1
        self.effective[effective] += 1

    def show(self, keys: Any, vault_chain: str, installations: Collection[str]) -> None:
        """Put what was counted into the report. `installations`: those of the events."""
        if self._lowest is not None:
            level, missing = self._lowest
            self.ex.note(CHECK, f"for L{int(level[1]) + 1} it takes {missing}")
        # Of an installation the best custody counts, and of all installations the least.
        best = dict.fromkeys(installations, 0)
        for one in self.results:
            if one["verified"] and one["custody"] is not None and one["installationId"] in best:
                own = one["installationId"]
                best[own] = max(best[own], _CUSTODIES.index(one["custody"]))
        self.ex.shown.provenance = Provenance(
            events=self.events,
            installations=len(best),
            vault_chain=vault_chain,  # type: ignore[arg-type]
            vault_keys=keys.weakest(),
            claimed=self.claimed,
            effective=self.effective,
            substantiated_by="service" if any(self.effective[level] for level in LEVELS[1:]) else "none",
            key_custody=_CUSTODIES[min(best.values(), default=0)],  # type: ignore[arg-type]
            software_root=any(one["softwareRoot"] for one in self.results),
        )

    def _missing(self, content: dict[str, Any] | None, effective: str, carrying: Counting | None) -> str:
        """Return the first condition for the next level that an event does not meet."""
        if effective != "L0":
            return _NEXT[effective]
        if content is None:
            return "the content of the event, which is left out here"
        if content["assurance"]["level"] == "L0":
            return "a claim by its vault, and an attestation that carries it"
        if carrying is None:
            return "the attestation that the claim names"
        if not carrying.is_trusted:
            return "the key of the service among those that you pin: it sealed the attestation's result"
        if carrying.result["softwareRoot"] and not self.ex.trust.get("allow_software_roots", False):
            return "an attestation under a root that is no software, or your leave for software roots"
        return "the evidence of the attestation, for your own check"


_NEXT = {
    "L1": "a start of the vault on a measured machine, shown by a TPM's quote",
    "L2": "your own check of the evidence of L2",
}


def level_of(ex: Examination, level: str, result: dict[str, Any]) -> str:
    """Return what a substantiated claim counts for the verifier, on the service's word."""
    if "attestation_roots" in ex.trust.value:
        return "L0"
    return "L0" if result["softwareRoot"] and not ex.trust.get("allow_software_roots", False) else level


class Counting:
    """A result that fits its record. It counts where trust reaches its signer."""

    def __init__(self, record: dict[str, Any], result: dict[str, Any], is_trusted: bool) -> None:
        self.record = record
        self.result = result
        self.is_trusted = is_trusted


class Carrying:
    """The results that may carry claims, by what claims name: an event must not look at all, of which may be many."""

    def __init__(self, counting: list[Counting]) -> None:
        self._named: dict[tuple[str, str], list[Counting]] = {}
        # By installation the times at which starts were verified, with the start and the newest time of another one.
        self._starts: dict[str, list[tuple[str, str, str]]] = {}
        starts: dict[str, list[tuple[str, str]]] = {}
        for one in counting:
            result = one.result
            is_start = result["attestationKind"] == _START
            name = result["startId"] if is_start else result["attestationRef"]
            self._named.setdefault((result["attestationKind"], name), []).append(one)
            if is_start and result["verified"]:
                starts.setdefault(result["installationId"], []).append((result["verifiedAt"], name))
        for installation, own in starts.items():
            ordered: list[tuple[str, str, str]] = []
            other, before = "", ("", "")
            for time, start in sorted(own, key=itemgetter(0)):
                if start != before[1]:
                    other = before[0]
                ordered.append((time, start, other))
                before = time, start
            self._starts[installation] = ordered

    def named_by(self, claim: dict[str, Any]) -> list[Counting]:
        """Return the results that a claim above L0 names."""
        kind, name = _NAMED_BY[claim["level"]]
        return self._named.get((kind, claim[name]), [])

    def other_start(self, installation: str, start: str, until: str) -> str:
        """Return the newest time, up to this one, at which another start was verified; empty for never."""
        ordered = self._starts.get(installation, [])
        end = bisect_right(ordered, until, key=itemgetter(0))
        if end == 0:
            return ""
        time, own, other = ordered[end - 1]
        return other if own == start else time


def substantiate(
    ex: Examination,
    envelope: dict[str, Any],
    content: dict[str, Any],
    received_at: str,
    carrying: Carrying,
    key: bytes | None,
    envelope_path: str,
) -> tuple[str | None, bool, Counting | None]:
    """Return what substantiates a claim: the level that it counts for, whether a result here is named, and the carrier.

    The level is None where nothing substantiates the claim.

    `carrying`: the results that may carry it; one whose signer trust does not reach counts L0. A claim of L2 also asks
    for the start's seal: `start_signature_invalid`, at `envelope_path`.
    """
    claim, installation = content["assurance"], envelope["installationId"]
    level = claim["level"]
    if level == "L0":
        return "L0", True, None
    named = carrying.named_by(claim)
    other_start = carrying.other_start(installation, claim["startId"], received_at) if level == "L2" else ""
    for one in named:
        if (
            one.result["verified"]
            and one.result["installationId"] == installation
            and (key is None or one.record["publicKeyHex"] == key.hex())
            and other_start <= one.result["verifiedAt"] <= received_at <= one.result["expiresAt"]
        ):
            if level == "L2" and not _has_start_seal(ex, envelope, one.result, envelope_path):
                return "L0", True, None
            return (level_of(ex, level, one.result) if one.is_trusted else "L0"), True, one
    return None, bool(named), None


_CUSTODY, _START = "pkcs11-key-custody", "tpm2-quote"
# By level: the kind of result that carries it, and the member of the claim that names it.
_NAMED_BY = {"L1": (_CUSTODY, "attestationRef"), "L2": (_START, "startId")}


def _has_start_seal(ex: Examination, envelope: dict[str, Any], result: dict[str, Any], path: str) -> bool:
    """Return whether the seal by the key of the start holds, and reject otherwise."""
    from .._objects.hashing import sealed_bytes, without

    seal = envelope.get("startSeal")
    if seal is None:
        return True
    key = bytes.fromhex(result["start"]["startPublicKeyHex"])
    code, where = "start_signature_invalid", f"{path}/startSeal"
    if seal["kid"] != kid_of(key):
        message = "The start seal is by another key than that of the start."
        ex.reject(CHECK, Finding(code, f"{where}/kid", message, kid_of(key), seal["kid"]))
        return False
    ex.looked(CHECK)
    body = without(envelope, "seal", "startSeal", "content")
    holds = ex.holds(key, sealed_bytes("envelope-start", body, seal["kid"]), bytes.fromhex(seal["signature"]))
    message = "The start seal does not verify under the key of its start."
    return ex.expect(CHECK, holds, code, f"{where}/signature", message)


def check_required(ex: Examination) -> None:
    """Hold the levels of an object against the one that the trust policy requires."""
    required = ex.trust.get("require_assurance")
    if required is None:
        return
    provenance = ex.shown.provenance
    if provenance is None:
        if ex.kind in WITHOUT_ENVELOPES:
            message = "The object shows events and no envelopes, so that nothing of them counts at a level."
            ex.reject(CHECK, Finding("assurance_insufficient", "", message))
        return
    ex.looked(CHECK)
    below = LEVELS[: LEVELS.index(required)]
    lowest = next((level for level in LEVELS if provenance.effective[level]), None)
    holds = lowest is not None and lowest not in below
    message = f"Not every event here counts at {required}, which you require, or no event is here."
    ex.expect(CHECK, holds, "assurance_insufficient", "", message)
