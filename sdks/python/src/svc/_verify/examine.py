"""Examines one parsed object: its shape, its keys, its kind's own checks, and what is known and expected of it."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

from .._kernel.interface import Kernel
from .._objects.receipt import examine_stream
from .._objects.records import Records
from .._objects.travelling_keys import read_keys
from .._report.examination import Examination, Finding
from .._report.history import History
from .._schema.check import deep_payloads, faults_of
from .._trust.key_ring import Scope
from .._trust.policy import TrustPolicy
from .._vault.assurance import check_required
from .expectations import check_expectations
from .form import faults_between
from .kinds import find_kind, has_provenance, is_marked, schema_of
from .known_checkpoints import check_known


def _bundle(ex: Examination, value: dict[str, Any]) -> None:
    from .._objects.bundle import examine_bundle

    is_sealed = examine_bundle(ex, value)
    if "provenance.json" in value["artifacts"]:
        from .._vault.bundle import examine_part

        checkpoints = value["artifacts"]["checkpoints.json"]
        origin = checkpoints[-1]["origin"] if checkpoints else None
        examine_part(ex, value, Scope(value["manifest"]["stream_id"], origin), is_sealed)


def _stream(ex: Examination, value: dict[str, Any]) -> None:
    read_keys(ex, value)
    examine_stream(ex, value)


# By kind or schema: the module and its function. A module is imported when its first object comes, since most processes
# see objects of one kind.
_EXAMINERS = {
    "receipt": ("_objects.receipt", "examine_receipt"),
    "stream": ("_verify.examine", "_stream"),
    "window": ("_objects.window", "examine_window"),
    "inclusion": ("_objects.window", "examine_inclusion"),
    "checkpoint": ("_objects.checkpoint", "examine_checkpoint"),
    "consistency.json": ("_objects.consistency", "examine_consistency"),
    "anchor-consistency.json": ("_objects.anchor", "examine_anchor_consistency"),
    "witness": ("_objects.witness", "examine_witness"),
    "anchor": ("_objects.anchor", "examine_anchor"),
    "key": ("_objects.travelling_keys", "examine_key"),
    "bundle": ("_verify.examine", "_bundle"),
    "envelope": ("_vault.envelope", "examine_envelope"),
    "key-status": ("_vault.key_status", "examine_key_status"),
    "vault-attestation": ("_vault.attestation", "examine_attestation"),
    "provenance-inclusion": ("_vault.inclusion", "examine_inclusion"),
    "provider-result": ("_vault.provider", "examine_provider_result"),
    "disclosure": ("_vault.disclosure", "examine_disclosure"),
    "ivc-epoch": ("_vault.ivc_epoch", "examine_epoch"),
    "fork": ("_objects.fork.examine", "examine_fork"),
    "portable-receipt": ("_objects.portable_receipt", "examine_portable_receipt"),
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
        ex.reject("shape", Finding("unsupported_object", "", f"The object is not of the kind {kind}."))
        return
    ex.looked("shape")
    faults = [*faults_of(schema, value), *deep_payloads(value)] or faults_between(kind, schema, value)
    for fault in faults:
        ex.reject("shape", Finding(fault.code, fault.path, fault.message))
    if faults:
        return
    module, name = _EXAMINERS.get(schema) or _EXAMINERS[kind]
    getattr(import_module(f"svc.{module}"), name)(ex, value)
    if ex.newest_size is not None and kind != "bundle":
        ex.histories.append(History(str(ex.tree_stream), roots=ex.roots))
    endorsed = tuple((one.endorser, one.kid) for one in ex.keys.endorsements)
    if endorsed:
        ex.histories = [replace(one, endorsed=endorsed) for one in ex.histories]
    if "key_endorsements" not in ex.tallies:
        ex.note("key_endorsements", "no key endorsements")
    check_known(ex)
    check_required(ex)
    check_expectations(ex)
