"""Disclosures (section 28): fields of a capsule that its holder opens to a reader, past the service."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .._kernel.canonical import canonicalize
from .._objects.checkpoint import service_origin
from .._objects.hashing import without
from .._objects.portable_receipt import check_portable
from .._objects.receipt import payload_hash
from .._objects.travelling_keys import read_keys
from .._report.examination import Examination, Finding
from .._report.model import Subject
from .._schema.check import depth_of, faults_of
from .._schema.formats import has_format
from .._trust.key_ring import Scope
from .assurance import Carrying, Tally, substantiate
from .attestation import check_attestation, check_result_seal
from .capsule import FIRST_NAMES, MAX_FURTHER_NAMES, MAX_VALUE_BYTES, MAX_VALUE_DEPTH, commitment, index_of
from .envelope import CHECK as ENVELOPE
from .envelope import check_content, check_first, check_recorded, check_seal_of, envelope_hash, note_unchecked
from .known_keys import KnownKey, KnownKeys, check_installation_seal, note_end
from .provider import check_result, note_policy
from .statuses import check_own, from_trust

CHECK = "disclosure"
EXPECTATION = "expectation"
# A note has so many names of opened fields.
_MOST_NAMES = 8
_UNSEALED = ("seal", "envelope", "receipt", "keyStatus", "attestations")
Disclosure = dict[str, Any]


def examine_disclosure(ex: Examination, disclosure: Disclosure) -> None:
    """Examine a disclosure."""
    envelope, portable = disclosure["envelope"], disclosure["receipt"]
    installation = envelope["installationId"]
    record = None if portable is None else portable["receipt"]
    origin = None
    if portable is not None:
        read_keys(ex, portable, "/receipt")
        check_portable(ex, portable, "/receipt")
        ex.subject = replace(ex.subject, id=disclosure["disclosureId"], stream_id=envelope["streamId"])
        if "checkpoint" in portable:
            origin = portable["checkpoint"]["origin"]
            ex.subject = replace(ex.subject, origin=service_origin(portable["checkpoint"], envelope["streamId"]))
    else:
        ex.subject = Subject(id=disclosure["disclosureId"], stream_id=envelope["streamId"])
    scope = Scope(envelope["streamId"], origin)
    keys = _known_keys(ex, disclosure, scope)
    known = keys.check(installation, "/envelope/installationId")
    check_seal_of(ex, envelope, known, "/envelope")
    check_first(ex, envelope, "/envelope", ENVELOPE)
    content = envelope.get("content")
    note_unchecked(ex, envelope, is_start_told=_is_start_told(disclosure))
    note_policy(ex, content)
    if content is not None:
        check_content(ex, envelope, content, "/envelope/content")
        if record is not None and "payload" in record:
            check_recorded(ex, content, record, "/envelope/content")
    message = "The envelope is not the one that the disclosure names."
    expected, actual = disclosure["envelopeHash"], envelope_hash(envelope)
    ex.equal(CHECK, "commitment_mismatch", "/envelopeHash", expected, actual, message)
    if record is not None:
        _check_record(ex, envelope, record)
        keys.check_event(known, "/envelope", installation, record["received_at"], record["seq_no"])
    else:
        keys.check_event(known, "/envelope", installation, None, None)
    note_end(ex, known)
    ex.found(CHECK, _opened(disclosure))
    if content is not None:
        _check_fields(ex, disclosure, envelope, content)
    _check_seal(ex, disclosure, known)
    _check_assurance(ex, disclosure, record, scope, keys)


def _known_keys(ex: Examination, disclosure: Disclosure, scope: Scope) -> KnownKeys:
    status = disclosure["keyStatus"]
    own = []
    if status is not None:
        message = "The status is of another installation."
        expected, actual = disclosure["envelope"]["installationId"], status["installationId"]
        ex.equal("vault_key", "vault_key_mismatch", "/keyStatus/installationId", expected, actual, message)
        own = check_own(ex, status, "/keyStatus", scope)
    return KnownKeys(ex, [*own, *from_trust(ex, scope)])


def _is_start_told(disclosure: Disclosure) -> bool:
    """Return whether the start seal is checked: without a receipt no level is looked for, and so no start."""
    content = disclosure["envelope"].get("content")
    if content is None or disclosure["receipt"] is None:
        return False
    start = content["assurance"].get("startId")
    results = [one["result"] for one in disclosure["attestations"]]
    return any(result is not None and result.get("startId") == start for result in results)


def _check_record(ex: Examination, envelope: dict[str, Any], record: dict[str, Any]) -> None:
    """Check that the receipt has its payload, and that this is the envelope without its content."""
    if "payload" not in record:
        message = "The receipt has no payload, so that nothing ties it to the envelope."
        ex.reject(ENVELOPE, Finding("provenance_envelope_missing", "/receipt/receipt/payload", message))
        return
    ex.looked(ENVELOPE)
    code = "envelope_record_mismatch"
    own = payload_hash(without(envelope, "content"), record["payload_salt"])
    holds = own == record["payload_hash"]
    ex.expect(ENVELOPE, holds, code, "/envelope", "The envelope is not the payload of the receipt.")
    for name, member in (("source_ref", "sourceRef"), ("stream_id", "streamId")):
        message = f"The receipt has another {name} than the envelope."
        ex.equal(ENVELOPE, code, f"/envelope/{member}", record[name], envelope[member], message)


def _opened(disclosure: Disclosure) -> str:
    """Return what is opened, and for whom."""
    fields, content = disclosure["fields"], disclosure["envelope"].get("content")
    names = [one["name"] for one in fields[:_MOST_NAMES]] + ["…"] * (len(fields) > _MOST_NAMES)
    opened = "no field is opened"
    if fields and content is not None:
        opened = f"{len(fields)} of {content['capsuleSize']} places are opened: {', '.join(names)}"
    audience, nonce = disclosure["audience"], disclosure["nonce"]
    if disclosure["seal"] is None:
        opened += "; not sealed, so that anybody can pass it on"
    elif audience is None:
        opened += "; sealed for no reader in particular"
    else:
        opened += f"; sealed for the reader {canonicalize(audience).decode()}"
    return opened if nonce is None else f"{opened}, on the occasion {canonicalize(nonce).decode()}"


def _check_fields(ex: Examination, disclosure: Disclosure, envelope: dict[str, Any], content: dict[str, Any]) -> None:
    fields, size = disclosure["fields"], content["capsuleSize"]
    further = [one for one in fields if one["name"] not in FIRST_NAMES]
    message = "There are more names than a capsule of this size holds."
    holds = len(further) <= MAX_FURTHER_NAMES[str(size)]
    ex.expect(CHECK, holds, "disclosure_field_invalid", "/fields", message)
    before = -1
    for index, one in enumerate(fields):
        path = f"/fields/{index}"
        ex.looked(CHECK)
        _check_place(ex, one, before, size, content["slotSalt"], path)
        before = one["index"]
        _check_value(ex, one, path)
        _check_way(ex, one, envelope, content, path)
        if one["name"] == "providerResult":
            _check_provider_result(ex, one["value"], f"{path}/value")


def _check_place(ex: Examination, one: dict[str, Any], before: int, size: int, salt: str, path: str) -> None:
    code, name = "disclosure_field_invalid", one["name"]
    if not has_format("field-name", name):
        ex.reject(CHECK, Finding(code, f"{path}/name", "A capsule holds no such name."))
        return
    due = index_of(name, size, salt)
    if one["index"] <= before:
        message = "The fields do not ascend by their places, or one appears twice."
        ex.reject(CHECK, Finding(code, f"{path}/index", message))
    elif one["index"] != due:
        message = f"{name} is at place {one['index']}, and its only place is {due}."
        ex.reject(CHECK, Finding(code, f"{path}/index", message, str(due), str(one["index"])))


def _check_value(ex: Examination, one: dict[str, Any], path: str) -> None:
    value = one["value"]
    holds = depth_of(value) <= MAX_VALUE_DEPTH and len(canonicalize(value)) <= MAX_VALUE_BYTES
    message = f"No capsule holds such a value of {one['name']}."
    ex.expect(CHECK, holds, "disclosure_field_invalid", f"{path}/value", message)


def _check_way(
    ex: Examination, one: dict[str, Any], envelope: dict[str, Any], content: dict[str, Any], path: str
) -> None:
    """Check the commitment to a field, and its way to the capsule's root."""
    own = commitment(envelope["installationId"], envelope["sourceRef"], one)
    size, index = content["capsuleSize"], one["index"]
    message = "The path has another number of hashes than the size of the capsule demands."
    fits = ex.expect(CHECK, len(one["path"]) == size.bit_length() - 1, "capsule_path_invalid", f"{path}/path", message)
    leaf = ex.kernel.leaf_hashes([bytes.fromhex(own)])[0]
    nodes = [bytes.fromhex(node) for node in one["path"]]
    holds = ex.kernel.verify_inclusion(leaf, index, size, nodes, bytes.fromhex(envelope["capsuleRoot"]))
    # The commitment in the content is found by the place: a name that is not at its own is a fault by itself.
    is_listed = index >= len(FIRST_NAMES) or own == content["commitments"][FIRST_NAMES[index]]
    message = f"The vault did not commit to this value of {one['name']}."
    ex.expect(CHECK, is_listed and (holds or not fits), "commitment_mismatch", path, message)


def _check_provider_result(ex: Examination, value: Any, path: str) -> None:
    earlier = isinstance(value, dict) and value.get("version") == "0.1"
    schema = "earlier-provider-result.json" if earlier else "provider-result.json"
    faults = faults_of(schema, value, path)
    for fault in faults:
        ex.reject("provider", Finding(*fault))
    if not faults:
        check_result(ex, value, path)


def _check_seal(ex: Examination, disclosure: Disclosure, known: KnownKey) -> None:
    seal = disclosure["seal"]
    holds = seal is not None and check_installation_seal(
        ex, known, "disclosure", without(disclosure, *_UNSEALED), seal, "/seal", CHECK, "disclosure_signature_invalid"
    )
    latest = known.latest
    if seal is not None and latest is not None:
        end = latest["revokedAt"]
        has_ended = latest["status"] == "revoked" or (end is not None and end <= disclosure["disclosedAt"])
        message = "The key that sealed the disclosure is revoked, or had ended."
        ex.expect("vault_key", not has_ended, "vault_key_revoked", "/seal/kid", message)
    _check_expected(ex, disclosure, holds)


def _check_expected(ex: Examination, disclosure: Disclosure, is_sealed: bool) -> None:
    """Hold a disclosure against the reader, the occasion and the content that the verifier expects."""
    expect = ex.trust.get("expect", {})
    for name in ("audience", "nonce"):
        if name in expect:
            ex.looked(EXPECTATION)
            message = f"The disclosure is not sealed for the {name} that you expect."
            holds = disclosure["seal"] is not None and disclosure[name] == expect[name]
            ex.expect(EXPECTATION, holds, "disclosure_audience_mismatch", f"/{name}", message)
    wanted = expect.get("content_sha256")
    if wanted is None:
        return
    ex.looked(EXPECTATION)
    for index, one in enumerate(disclosure["fields"]):
        if one["name"] == "content":
            actual = one["value"].get("sha256") if isinstance(one["value"], dict) else None
            message = "The opened content is of another file than the one that you have."
            where = f"/fields/{index}/value/sha256"
            ex.equal(EXPECTATION, "content_mismatch", where, wanted, actual, message)
            return
    ex.reject(EXPECTATION, Finding("evidence_missing", "/fields", "The content is not opened.", wanted))


def _check_assurance(
    ex: Examination, disclosure: Disclosure, record: dict[str, Any] | None, scope: Scope, keys: KnownKeys
) -> None:
    counting = []
    for index, one in enumerate(disclosure["attestations"]):
        path, result = f"/attestations/{index}", one["result"]
        is_trusted = result is not None and check_result_seal(ex, result, f"{path}/result", scope)
        found = check_attestation(ex, one["record"], result, path, keys, is_trusted)
        if found is not None:
            counting.append(found)
    envelope = disclosure["envelope"]
    content, tally = envelope.get("content"), Tally(ex)
    tally.results = [one.result for one in counting if one.is_trusted]
    level, carrying = "L0", None
    if content is not None:
        ex.looked("assurance")
    if content is not None and record is not None:
        key = keys.of(envelope["installationId"]).key
        trusted = Carrying([one for one in counting if one.is_trusted])
        found_level, is_here, carrying = substantiate(
            ex, envelope, content, record["received_at"], trusted, key, "/envelope"
        )
        message = "Nothing here substantiates the level that the vault claims."
        code, where = "provenance_assurance_not_substantiated", "/envelope/content/assurance"
        ex.expect("assurance", found_level is not None or not is_here, code, where, message)
        level = found_level or "L0"
    tally.add(content, level, carrying)
    tally.show(keys, "none", [envelope["installationId"]])
