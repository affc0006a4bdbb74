"""Examines one parsed object: its shape, its keys, its kind's own checks, and what is known and expected of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._kernel.interface import Kernel
from .._objects.anchor import examine_anchor, examine_anchor_consistency
from .._objects.bundle import examine_bundle
from .._objects.checkpoint import examine_checkpoint
from .._objects.consistency import examine_consistency
from .._objects.fork.examine import examine_fork
from .._objects.portable_receipt import examine_portable_receipt
from .._objects.receipt import examine_receipt, examine_stream
from .._objects.records import Records
from .._objects.travelling_keys import examine_key, read_keys
from .._objects.window import examine_inclusion, examine_window
from .._objects.witness import examine_witness
from .._report.examination import Examination, Finding
from .._schema.check import deep_payloads, faults_of
from .._trust.key_ring import Scope
from .._trust.policy import TrustPolicy
from .._vault.assurance import check_required
from .._vault.attestation import examine_attestation
from .._vault.bundle import examine_part
from .._vault.disclosure import examine_disclosure
from .._vault.envelope import examine_envelope
from .._vault.inclusion import examine_inclusion as examine_provenance_inclusion
from .._vault.ivc_epoch import examine_epoch
from .._vault.key_status import examine_key_status
from .._vault.provider import examine_provider_result
from .expectations import check_expectations
from .form import faults_between
from .kinds import find_kind, has_provenance, is_marked, schema_of
from .known_checkpoints import check_known


def _bundle(ex: Examination, value: dict[str, Any]) -> None:
    is_sealed = examine_bundle(ex, value)
    if "provenance.json" in value["artifacts"]:
        checkpoints = value["artifacts"]["checkpoints.json"]
        origin = checkpoints[-1]["origin"] if checkpoints else None
        examine_part(ex, value, Scope(value["manifest"]["stream_id"], origin), is_sealed)


def _stream(ex: Examination, value: dict[str, Any]) -> None:
    read_keys(ex, value)
    examine_stream(ex, value)


_EXAMINERS: dict[str, Callable[[Examination, Any], None]] = {
    "receipt": examine_receipt,
    "stream": _stream,
    "window": examine_window,
    "inclusion": examine_inclusion,
    "checkpoint": examine_checkpoint,
    "consistency.json": examine_consistency,
    "anchor-consistency.json": examine_anchor_consistency,
    "witness": examine_witness,
    "anchor": examine_anchor,
    "key": examine_key,
    "bundle": _bundle,
    "envelope": examine_envelope,
    "key-status": examine_key_status,
    "vault-attestation": examine_attestation,
    "provenance-inclusion": examine_provenance_inclusion,
    "provider-result": examine_provider_result,
    "disclosure": examine_disclosure,
    "ivc-epoch": examine_epoch,
    "fork": examine_fork,
    "portable-receipt": examine_portable_receipt,
}


def examine_value(
    value: Any,
    kind: str | None,
    trust: TrustPolicy,
    kernel: Kernel,
    links: tuple[Any, ...] = (),
    records: Records | None = None,
) -> Examination:
    """Examine a parsed value, as this kind or as that found from its members. Make the report of what is returned.

    `records`: those of a bundle that were read in bulk.
    """
    ex = Examination(kernel, trust, value=value, links=links, records=records)
    ex.looked("json")
    ex.kind = kind
    if kind is None:
        if not isinstance(value, dict):
            ex.reject("shape", Finding("malformed", "", "The value is no object, and so no evidence."))
            return ex
        ex.kind = find_kind(value)
        if ex.kind is None:
            ex.reject("shape", Finding("unsupported_object", "", "The object is of no kind that is known here."))
            return ex
    examine_as(ex, str(ex.kind), value)
    return ex


def examine_as(ex: Examination, kind: str, value: Any) -> None:
    """Examine a value as one of this kind, from its shape on."""
    schema = schema_of(kind, value)
    if schema == "anchor-consistency.json":
        ex.check_list = "anchor-consistency"
    if kind == "bundle" and has_provenance(value):
        ex.check_list = "provenance-bundle"
    if isinstance(value, dict) and not is_marked(kind, value):
        ex.reject("shape", Finding("unsupported_object", "", f"The object is none of the kind {kind}."))
        return
    ex.looked("shape")
    faults = [*faults_of(schema, value), *deep_payloads(value)] or faults_between(kind, schema, value)
    for fault in faults:
        ex.reject("shape", Finding(fault.code, fault.path, fault.message))
    if faults:
        return
    _EXAMINERS.get(schema, _EXAMINERS.get(kind, _unknown))(ex, value)
    if "key_endorsements" not in ex.tallies:
        ex.note("key_endorsements", "no key endorsements")
    check_known(ex)
    check_required(ex)
    check_expectations(ex)


def _unknown(ex: Examination, value: Any) -> None:
    raise NotImplementedError(f"the kind {ex.kind}")
