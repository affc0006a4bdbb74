"""Attestation records and results (section 23). This release binds evidence by its hash, and does not judge it."""

from __future__ import annotations

import base64
from hashlib import sha256
from typing import Any

from .._generated.limits import VERIFIER
from .._objects.hashing import digest, sealed_bytes, without
from .._objects.seal import Use, check_seal
from .._report.examination import Examination, Finding
from .._report.model import Subject
from .._trust.key_ring import Scope
from .._trust.policy import kid_of, unix_seconds
from .assurance import Counting, Tally, level_of
from .known_keys import REACHED, KnownKeys, note_end
from .statuses import from_trust, is_in_time

CHECK = "attestation"
Record = dict[str, Any]
Result = dict[str, Any]
_CAPABILITY = {"pkcs11-key-custody": "L1", "tpm2-quote": "L2"}
_LONGEST_MS: dict[str, int] = VERIFIER["longest_result_ms"]
_OF_CUSTODY = ("custody",)
_OF_QUOTE = ("startId", "start", "ekCertificateSha256", "akName", "referenceValuesDigest")


def attestation_hash(record: Record) -> str:
    """Return the hash of a record."""
    return digest("record", without(record, "seal", "evidence"))


def check_result_seal(ex: Examination, result: Result, path: str, scope: Scope) -> bool:
    """Check the seal of a result. Returns whether trust reaches its signer; a seal that does not hold rejects."""
    what = f"the result {result['attestationRef']}"
    use = Use(CHECK, "result", f"{path}/seal", what, scope, result["verifiedAt"])
    check_seal(ex, "result", without(result, "seal"), result["seal"], use)
    return is_in_time(ex, result["seal"]["kid"], scope, result["verifiedAt"])


def check_attestation(
    ex: Examination, record: Record, result: Result | None, path: str, keys: KnownKeys, is_trusted: bool
) -> Counting | None:
    """Check a record, and its result where one is here. Returns the result where it fits the record.

    `is_trusted`: whether trust reaches the signer of the result.
    """
    installation = record["installationId"]
    known = keys.check(installation, f"{path}/record/installationId")
    message = "The key of the record is another than the one that is known for the installation."
    own = bytes.fromhex(record["publicKeyHex"])
    is_known = known.key is None or known.key == own
    ex.expect("vault_key", is_known, "vault_key_mismatch", f"{path}/record/publicKeyHex", message)
    _check_record_seal(ex, record, own, f"{path}/record/seal", known.vouched)
    _check_evidence(ex, record, f"{path}/record/evidence")
    if result is None:
        if known.vouched == "service-vouched":
            message = "A record without a result needs a key that you pin."
            ex.distrust(Finding("key_not_pinned", f"{path}/result", message), installation, "vault_key")
        keys.check_event(known, f"{path}/record/seal", installation, None, None)
        return None
    odd = _odd_member(record, result)
    if odd is not None:
        message = f"The result is not about this record, or contradicts itself: see {odd}."
        ex.reject(CHECK, Finding("attestation_result_mismatch", f"{path}/result/{odd}", message))
    # The word of the service stands in for a proof of this time.
    where = f"{path}/result/verifiedAt"
    keys.check_event(known, where, installation, result["verifiedAt"], None, is_by_word=True)
    return Counting(record, result, is_trusted) if odd is None else None


def _check_record_seal(ex: Examination, record: Record, key: bytes, path: str, vouched: str) -> None:
    ex.trusted_count += 1
    kid, code = kid_of(key), "attestation_signature_invalid"
    if record["seal"]["kid"] != kid:
        message = "The record is not sealed by its own key."
        ex.reject(CHECK, Finding(code, f"{path}/kid", message, kid, record["seal"]["kid"]))
        return
    ex.looked(CHECK)
    ex.signatures_checked += 1
    body = without(record, "seal", "evidence")
    holds = ex.holds(key, sealed_bytes("record", body, kid), bytes.fromhex(record["seal"]["signature"]))
    if ex.expect(CHECK, holds, code, f"{path}/signature", f"The record does not verify under {kid}."):
        ex.sealed_by(kid, "vault", key, REACHED[vouched])


def _check_evidence(ex: Examination, record: Record, path: str) -> None:
    """Check that the evidence of a record is the one that was sealed. It is not judged."""
    if "evidence" not in record:
        ex.note(CHECK, "the evidence is withheld")
        return
    actual = digest("evidence", record["evidence"])
    message = "The evidence is not the one that the vault sealed."
    if ex.equal(CHECK, "evidence_hash_mismatch", path, record["evidenceHash"], actual, message):
        ex.note(CHECK, "this release judges neither certificates nor quotes")
        message = "This release judges neither certificates nor quotes, so this evidence was not checked."
        ex.distrust(Finding("unsupported_object", path, message), record["evidenceHash"], CHECK)


def _odd_member(record: Record, result: Result) -> str | None:
    """Return the first member of a result that does not fit its record or the others; None where all do."""
    return _of_record(record, result) or _of_itself(result) or _of_times(record, result) or _of_evidence(record, result)


def _start_id(record: Record, start: dict[str, Any]) -> str:
    members = ("startPublicKeyHex", "vaultMeasurement", "configDigest")
    return digest(
        "start",
        {
            "installationId": record["installationId"],
            "publicKeyHex": record["publicKeyHex"],
            **{name: start[name] for name in members},
        },
    )


def _of_record(record: Record, result: Result) -> str | None:
    if result["attestationHash"] != attestation_hash(record):
        return "attestationHash"
    for name in ("installationId", "attestationKind"):
        if result[name] != record[name]:
            return name
    start = result["start"]
    return "startId" if start is not None and result["startId"] != _start_id(record, start) else None


def _of_itself(result: Result) -> str | None:
    kind, is_verified = result["attestationKind"], result["verified"]
    if result["assuranceCapability"] != (_CAPABILITY[kind] if is_verified else "L0"):
        return "assuranceCapability"
    if is_verified != (result["reason"] is None):
        return "reason"
    own, others = (_OF_CUSTODY, _OF_QUOTE) if kind == "pkcs11-key-custody" else (_OF_QUOTE, _OF_CUSTODY)
    foreign = next((name for name in others if result[name] is not None), None)
    missing = next((name for name in own if is_verified and result[name] is None), None)
    return foreign or missing


def _of_times(record: Record, result: Result) -> str | None:
    created, verified, expires = (
        1000 * unix_seconds(time) + int(time[20:23])
        for time in (record["createdAt"], result["verifiedAt"], result["expiresAt"])
    )
    if not 0 < expires - verified <= _LONGEST_MS[result["attestationKind"]]:
        return "expiresAt"
    earliest, latest = -VERIFIER["earliest_result_before_ms"], VERIFIER["latest_result_after_ms"]
    return None if earliest <= verified - created <= latest else "verifiedAt"


def _of_evidence(record: Record, result: Result) -> str | None:
    """Compare what a result names with the evidence, where it is here."""
    evidence = record.get("evidence")
    if evidence is None:
        return None
    if result["attestationKind"] == "pkcs11-key-custody":
        return None if result["custody"] in (None, evidence["basis"]) else "custody"
    if result["startId"] not in (None, _start_id(record, evidence["start"])):
        return "startId"
    certificate = base64.b64decode(evidence["ekCertificate"])
    if result["ekCertificateSha256"] not in (None, sha256(certificate).hexdigest()):
        return "ekCertificateSha256"
    name = f"000b{sha256(bytes.fromhex(evidence['akPublic'])).hexdigest()}"
    return None if result["akName"] in (None, name) else "akName"


def examine_attestation(ex: Examination, value: dict[str, Any]) -> None:
    """Examine a lone attestation."""
    record, result = value["record"], value["result"]
    ex.subject = Subject(id=None if result is None else result["attestationRef"])
    scope, installation = Scope(None, None), record["installationId"]
    is_trusted = result is not None and check_result_seal(ex, result, "/result", scope)
    vouched = {installation: bytes.fromhex(record["publicKeyHex"])} if is_trusted else {}
    keys = KnownKeys(ex, from_trust(ex, scope), vouched=vouched)
    counting = check_attestation(ex, record, result, "", keys, is_trusted)
    note_end(ex, keys.of(installation))
    tally = Tally(ex)
    level = "L0"
    if counting is not None and counting.is_trusted:
        tally.results.append(counting.result)
        level = level_of(ex, counting.result["assuranceCapability"], counting.result)
    tally.effective[level] += 1
    tally.show(keys, "none", [installation])
