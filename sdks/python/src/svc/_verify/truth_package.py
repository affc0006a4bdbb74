"""Truth packages (section 15): the archive, the manifest, every bundle by itself, and the table of events."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import Any

from .._kernel.interface import JsonFault, Kernel, TooLarge
from .._objects.events_csv import Table, lines
from .._objects.hashing import without
from .._objects.records import PlainRecords, Records
from .._objects.seal import Use, check_seal
from .._objects.travelling_keys import read_keys
from .._report.examination import Examination, Finding
from .._report.model import Subject
from .._schema.check import faults_of
from .._schema.pointer import below
from .._trust.key_ring import Scope
from .._trust.policy import TrustPolicy
from .asked_ranges import AskedRanges
from .expectations import CHECK as EXPECTATION
from .expectations import covers
from .package_assurance import adopt_shown
from .package_contents import PackageContents, Proof

MANIFEST, PROOFS, EVENTS = "svc.truth-package.manifest.json", "proofs.json", "events.csv"
ARTIFACTS = (EVENTS, "manifest.json", PROOFS)
_AT_MANIFEST = f"/{MANIFEST}"
_UNSEALED = ("seal", "key_hints", "key_endorsements")
Package = dict[str, Any]


def examine_package(
    contents: PackageContents, trust: TrustPolicy, kernel: Kernel, links: tuple[Any, ...]
) -> Examination:
    """Examine the contents of a truth package."""
    ex = Examination(kernel, trust, links=links)
    ex.kind = "truth-package"
    for fault in contents.faults:
        path = "" if fault.entry is None else below("", fault.entry)
        ex.reject("archive", Finding(fault.code, path, fault.message))
    if not contents.faults:
        _Package(ex, contents).examine()
    return ex


class _Package:
    def __init__(self, ex: Examination, contents: PackageContents) -> None:
        self.ex = ex
        self.package = contents
        self.entries = contents.entries
        # What was unpacked, and is as declared.
        self.contents: dict[str, bytes] = {}

    def examine(self) -> None:
        ex = self.ex
        ex.looked("archive", len(self.entries))
        if MANIFEST not in self.entries:
            ex.reject("archive", Finding("archive_entry_missing", _AT_MANIFEST, f"The package has no {MANIFEST}."))
            return
        manifest = self._parse(MANIFEST) if self._unpack(MANIFEST) else None
        if not isinstance(manifest, dict):
            if manifest is not None:
                ex.looked("shape")
                ex.reject("shape", Finding("malformed", _AT_MANIFEST, "The manifest is no object."))
            return
        ex.value = {MANIFEST: manifest}
        if not self._check_shape(manifest) or not self._check_entries(manifest):
            return
        self._set_subject(manifest)
        for name in ARTIFACTS:
            self._unpack(name)
        self._check_artifacts(manifest)
        read_keys(ex, manifest, _AT_MANIFEST)
        what, path = "the manifest of the truth package", f"{_AT_MANIFEST}/seal"
        use = Use("bundle_seal", "truth-package", path, what, Scope(None, None), manifest["created_at"])
        check_seal(ex, "truth-package", without(manifest, *_UNSEALED), manifest["seal"], use)
        ex.judge_trust()
        if not self._check_proofs(manifest):
            self.ex.note("export", "the bundles cannot be read, so the events are not compared with them")
        self._check_expected_range(manifest["ranges"])

    def _unpack(self, name: str) -> bool:
        content = self.package.bytes_of(name)
        if content is not None:
            self.contents[name] = content
            return True
        message = "The content of the entry is not as its headers declare."
        self.ex.reject("archive", Finding("archive_malformed", below("", name), message))
        return False

    def _parse(self, name: str) -> Any:
        """Return the value of an entry; None, and a problem, where it is no JSON."""
        try:
            value = self.package.value_of(name)
        except JsonFault as fault:
            message = f"At byte {fault.offset} of {name}."
            self.ex.reject("json", Finding(fault.code, below("", name), message, actual=str(fault.offset)))
            return None
        except TooLarge as error:
            message = f"The entry is too large: {error}."
            self.ex.reject("shape", Finding("unsupported_object", below("", name), message))
            return None
        self.ex.looked("json")
        return _NULL if value is None else value

    def _check_shape(self, manifest: Package) -> bool:
        self.ex.looked("shape")
        faults = faults_of("truth-package.json", manifest, _AT_MANIFEST)
        findings = [Finding(*fault) for fault in faults] or _faults_between(manifest)
        for finding in findings:
            self.ex.reject("shape", finding)
        return not findings

    def _check_entries(self, manifest: Package) -> bool:
        listed = {MANIFEST, *(one["path"] for one in manifest["artifacts"])}
        missing = [name for name in (MANIFEST, *ARTIFACTS) if name in listed and name not in self.entries]
        unlisted = [name for name in self.entries if name not in listed]
        for name in missing:
            message = f"The package has no {name}."
            self.ex.reject("archive", Finding("archive_entry_missing", below("", name), message))
        for name in unlisted:
            message = "The manifest does not list this entry."
            self.ex.reject("archive", Finding("archive_entry_unlisted", below("", name), message))
        return not missing and not unlisted

    def _set_subject(self, manifest: Package) -> None:
        ranges = manifest["ranges"]
        one = ranges[0] if len(ranges) == 1 else {}
        self.ex.subject = Subject(
            id=manifest["export_id"],
            stream_id=one.get("stream_id"),
            from_seq_no=one.get("from_seq_no"),
            to_seq_no=one.get("to_seq_no"),
        )

    def _check_artifacts(self, manifest: Package) -> None:
        for one in manifest["artifacts"]:
            content = self.contents.get(one["path"])
            if content is None:
                continue
            self.ex.looked("manifest")
            code, path = "artifact_hash_mismatch", below("", one["path"])
            message = "The artifact is not the one that the manifest names."
            self.ex.equal("manifest", code, path, one["sha256"], sha256(content).hexdigest(), message)
            self.ex.equal("manifest", code, path, one["size_bytes"], len(content), message)

    def _check_proofs(self, manifest: Package) -> bool:
        """Check the bundles, and the events against them. Returns whether the events could be compared."""
        ex = self.ex
        if PROOFS not in self.contents:
            return False
        ranges = manifest["ranges"]
        bulk = self.package.proofs_in_bulk(PROOFS, EVENTS, ranges, ex.trust)
        if bulk is not None:
            ex.looked("json")
            proofs = bulk.proofs
        else:
            values = self._parse(PROOFS)
            if values is None:
                return False
            if not isinstance(values, list):
                ex.reject("shape", Finding("malformed", f"/{PROOFS}", "The proofs are a list of bundles."))
                return False
            proofs = [Proof(value) for value in values]
        ex.value = {MANIFEST: manifest, PROOFS: [proof.value for proof in proofs]}
        if len(proofs) > len(ranges):
            message = "There are more bundles than ranges."
            ex.reject("export", Finding("export_mismatch", f"/{PROOFS}", message))
            return False
        parts = [self._examine_bundle(proof, index) for index, proof in enumerate(proofs)]
        are_whole = not any(part.has_failed("shape") for part in parts)
        if are_whole:
            self._check_order(proofs)
            self._check_export(manifest, proofs, None if bulk is None else bulk.table_holds)
        adopt_shown(ex, parts)
        return are_whole

    def _check_order(self, proofs: list[Proof]) -> None:
        before = ""
        for index, proof in enumerate(proofs):
            stream = proof.value["manifest"]["stream_id"]
            if stream <= before:
                path = f"/{PROOFS}/{index}/manifest/stream_id"
                message = "The bundles ascend by stream, and there is one for each."
                self.ex.reject("shape", Finding("malformed", path, message))
            before = stream

    def _examine_bundle(self, proof: Proof, index: int) -> Examination:
        """Examine a bundle by itself, and take over what it shows."""
        from .examine import examine_value

        ex = self.ex
        part = examine_value(proof.value, "bundle", ex.trust, ex.kernel, ex.links, proof.records)
        if part.check_list == "provenance-bundle":
            ex.check_list = "provenance-package"
        part.tallies.pop("json", None)
        part.judge_trust()
        if proof.records is not None:
            from .bulk import is_enough

            self.package.is_bulk_enough = self.package.is_bulk_enough and is_enough(part)
        ex.adopt(part, f"/{PROOFS}/{index}")
        ex.histories += part.histories
        return part

    def _check_export(self, manifest: Package, proofs: list[Proof], table_holds: bool | None) -> None:
        """Hold bundles against ranges. `table_holds`: whether the table does, where that is known already."""
        ex, bundles = self.ex, [proof.value for proof in proofs]
        # Of several bundles of one stream the last is the stream's.
        by_stream = {bundle["manifest"]["stream_id"]: bundle for bundle in bundles}
        for index, one in enumerate(manifest["ranges"]):
            start, end = one["from_seq_no"], one["to_seq_no"]
            of = by_stream[one["stream_id"]]["manifest"] if one["stream_id"] in by_stream else None
            covers = of is not None and of["from_seq_no"] <= start and end <= of["to_seq_no"]
            message = f"No bundle covers events {start} to {end} of {one['stream_id']}."
            ex.expect("export", covers, "range_incomplete", f"{_AT_MANIFEST}/ranges/{index}", message)
        asked = AskedRanges(manifest["ranges"])
        times: list[str] = []
        for index, proof in enumerate(proofs):
            stream = bundles[index]["manifest"]["stream_id"]
            message = f"The manifest names no range of {stream}."
            ex.expect("export", stream in asked.streams, "export_mismatch", f"/{PROOFS}/{index}", message)
            records = PlainRecords(proof.value) if proof.records is None else proof.records
            times = [time for start, end in asked.streams.get(stream, ()) for time in records.times(start, end)]
            ex.looked("export", len(times))
            self._check_shown(asked, stream, records, index)
        if EVENTS in self.contents:
            message = "The table of events is not what the bundles give."
            holds = self._table_holds(asked, by_stream) if table_holds is None else table_holds
            ex.expect("export", holds, "export_mismatch", f"/{EVENTS}", message)
        self._set_subject_of(bundles, times if len(manifest["ranges"]) == 1 else [])

    def _table_holds(self, asked: AskedRanges, by_stream: dict[str, Any]) -> bool:
        table = Table(self.contents[EVENTS])
        for stream in asked.streams:
            if stream in by_stream:
                for line in lines(by_stream[stream], partial(asked.has, stream)):
                    table.take(line)
        return table.holds()

    def _check_shown(self, asked: AskedRanges, stream: str, records: Records, index: int) -> None:
        """Check that a bundle shows nothing of events outside of the ranges."""
        for name, number, event_id in records.shown():
            if not asked.has(stream, number):
                path = below(f"/{PROOFS}/{index}/{name}", event_id)
                message = f"Event {number} is in none of the ranges, and one of its {name} is here."
                self.ex.reject("export", Finding("export_mismatch", path, message, seq_no=number))

    def _set_subject_of(self, bundles: list[Any], times: list[str]) -> None:
        """Name the service, and when the events of the only range were received."""
        from dataclasses import replace

        from .._objects.checkpoint import service_origin

        origins = set()
        for bundle in bundles:
            checkpoints = bundle["artifacts"]["checkpoints.json"]
            stream = bundle["manifest"]["stream_id"]
            origins.add(service_origin(checkpoints[-1], stream) if checkpoints else None)
        origin = origins.pop() if len(origins) == 1 else None
        subject = replace(self.ex.subject, origin=origin)
        if times:
            subject = replace(subject, from_received_at=times[0], to_received_at=times[-1])
        self.ex.subject = subject

    def _check_expected_range(self, ranges: list[Any]) -> None:
        """Hold the ranges against the expected one: bundles are wider than what was asked for."""
        expect = self.ex.trust.get("expect", {})
        start, end = expect.get("from_seq_no"), expect.get("to_seq_no")
        if start is None and end is None:
            return
        self.ex.looked(EXPECTATION)
        covered = {one["stream_id"] for one in ranges if covers(one["from_seq_no"], one["to_seq_no"], start, end)}
        message = "The ranges of the package do not cover the range that you expect."
        holds = covered == {one["stream_id"] for one in ranges}
        self.ex.expect(EXPECTATION, holds, "range_incomplete", "", message)


# Stands for the value null, so that None is free.
_NULL = object()


def _faults_between(manifest: Package) -> list[Finding]:
    findings = []
    before: tuple[str, int] | None = None
    for index, one in enumerate(manifest["ranges"]):
        start = one["stream_id"], one["from_seq_no"]
        if one["to_seq_no"] < one["from_seq_no"] or (before is not None and start <= before):
            message = "Ranges ascend by stream and number, do not overlap, and hold an event."
            findings.append(Finding("malformed", f"{_AT_MANIFEST}/ranges/{index}", message))
        before = one["stream_id"], one["to_seq_no"]
    for index, one in enumerate(manifest["artifacts"]):
        if index >= len(ARTIFACTS) or one["path"] != ARTIFACTS[index]:
            message = f"The artifacts are {', '.join(ARTIFACTS)}, in this order."
            findings.append(Finding("malformed", f"{_AT_MANIFEST}/artifacts/{index}/path", message))
    return findings
