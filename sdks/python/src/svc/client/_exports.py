"""Exports of the service: ask for truth packages, wait for them, download them, and report on them.

Nothing here verifies a download: `svc.verify` takes the bytes of a package too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import quote

from .._generated.service import DownloadTicket, ExportInfo, ExportInput, PackageReport, RecordedVerification
from ._errors import SvcError
from ._operation import Fetch, listing, operation, pages_of
from ._receipts import Receipts
from ._steps import Begun, Flow, Pause
from ._transport import Transport, parse_answer

_FIRST_PAUSE_SECONDS = 0.1
_LONGEST_PAUSE_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True)
class PackageFacts:
    """What the service states of a download; nothing compares the bytes with it."""

    # The id of the access: `svc verify truth-package --access-id` and `report_verification` take it.
    access_id: str
    # The challenge that the `proof` of a report answers: the SHA-256 over these 64 characters and then all bytes of the
    # package. None if the service gave none.
    challenge: str | None
    file_name: str
    # The size of the whole package.
    size_bytes: int
    # The SHA-256 of the whole package.
    sha256: str


class ExportOperations:
    """The operations on exports."""

    _transport: Transport
    _receipts: Receipts

    @operation
    def create(self, export: ExportInput, *, idempotency_key: str | None = None) -> Flow[ExportInfo]:
        """Ask for a package, and only one if the request is repeated. Returns the export, queued.

        `export`: streams or systems, and optionally a range or a time. Raises SvcError (`system_forbidden`,
        `stream_forbidden`, `stream_not_found`, `timezone_required`, `range_too_large`, `export_empty`,
        `too_many_exports`, `idempotency_conflict`, ...).
        """
        return cast(ExportInfo, (yield from self._transport.write("/v1/exports", export, idempotency_key)))

    @listing
    def list(
        self, *, state: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> tuple[str | None, Fetch[ExportInfo]]:
        """List the exports of the key's system, in the order in which they were made."""
        return pages_of(self._transport, "/v1/exports", {"state": state, "limit": limit, "cursor": cursor})

    @operation
    def get(self, export_id: str) -> Flow[ExportInfo]:
        """Return one export. Raises SvcError `export_forbidden`, `export_not_found`."""
        return (yield from self._get(export_id))

    def _get(self, export_id: str) -> Flow[ExportInfo]:
        return cast(ExportInfo, (yield from self._transport.get(_path_of(export_id))))

    @operation
    def when_ready(self, export_id: str) -> Flow[ExportInfo]:
        """Wait until the package is built, and return the export.

        Raises as `get` does, SvcError `export_deleted`, and the reason why a package could not be built.
        """
        seconds = _FIRST_PAUSE_SECONDS
        while True:
            info = yield from self._get(export_id)
            if info["state"] == "ready":
                return info
            failure, deletion = info["failure"], info["deletion"]
            if failure is not None:
                raise SvcError(failure["code"], failure["message"], 200, detail=dict(failure))
            if deletion is not None:
                message = f"Export {export_id} is deleted ({deletion['because']})."
                raise SvcError("export_deleted", message, 200, detail=dict(deletion))
            yield Pause(seconds)
            seconds = min(2 * seconds, _LONGEST_PAUSE_SECONDS)

    @operation
    def delete(self, export_id: str) -> Flow[ExportInfo]:
        """Delete the package; the service keeps its record of it. Deleting it again changes nothing."""
        path = _path_of(export_id)
        return cast(ExportInfo, parse_answer(path, (yield from self._transport.send("DELETE", path))))

    @operation
    def prepare_download(self, export_id: str) -> Flow[DownloadTicket]:
        """Return a ticket for one download, which a browser can use without a key.

        Raises SvcError `export_forbidden`, `export_not_found`, `export_not_ready`, `export_failed`, `export_deleted`.
        """
        return (yield from self._prepare(export_id))

    def _prepare(self, export_id: str) -> Flow[DownloadTicket]:
        path = f"{_path_of(export_id)}/download/prepare"
        return cast(DownloadTicket, parse_answer(path, (yield from self._transport.send("POST", path))))

    def _begin(self, export_id: str, from_byte: int) -> Flow[tuple[PackageFacts, Any]]:
        """Begin a download, as a new access with a new ticket. Returns the driver's response with it."""
        ticket = yield from self._prepare(export_id)
        sha256 = ticket["sha256"]
        headers = {} if from_byte == 0 else {"range": f"bytes={from_byte}-", "if-range": f'"{sha256}"'}
        begun: Begun = yield from self._transport.begin(ticket["path"], headers, 200 if from_byte == 0 else 206)
        facts = PackageFacts(
            access_id=ticket["access_id"],
            challenge=ticket["challenge"],
            file_name=ticket["file_name"],
            size_bytes=ticket["size_bytes"],
            sha256=sha256,
        )
        return facts, begun.response

    @operation
    def report_verification(self, export_id: str, report: PackageReport) -> Flow[RecordedVerification]:
        """Tell the service that a package has verified, and return the record of it, whose lifecycle event was checked.

        The service records a report that matches its package and proves, by `proof`, that the reporter holds the
        package; it refuses all others: SvcError `challenge_missing`, `report_not_ok`, `report_mismatch`,
        `too_many_verifiers`, ...
        """
        path = f"{_path_of(export_id)}/truth-package/verify"
        recorded = yield from self._transport.post(path, report)
        record = recorded.get("lifecycle_record")
        yield from self._receipts.check_lifecycle(record, "truth_package.verified", recorded)
        return cast(RecordedVerification, recorded)


def _path_of(export_id: str) -> str:
    return f"/v1/exports/{quote(export_id, safe='')}"
