"""The client of a service: `Client`, and `AsyncClient` for asyncio and trio. Needs `svc-sdk[client]`.

It returns receipts only if they hold, and all other evidence unchecked: `svc.verify` checks that.
"""

from __future__ import annotations

try:
    import httpx as _httpx
except ImportError as missing:
    raise ImportError("svc.client and svc.queue need httpx: pip install 'svc-sdk[client]'") from missing

from .._generated.errors import ERRORS, ServiceCode
from .._generated.service import (
    AuditPackInput,
    DownloadTicket,
    Erasure,
    EventInput,
    ExportInfo,
    ExportInput,
    ListedStream,
    LoggedEvent,
    LogInput,
    OnlineReport,
    PackageReport,
    ProofState,
    ReceiptRecord,
    RecordedVerification,
    RedactedRecord,
    ServiceKeys,
    StreamHead,
    StreamInfo,
    StreamInput,
    WholeLoggedEvent,
)
from ._async import AsyncClient, AsyncDownload, AsyncEventLog, AsyncExports, AsyncStream
from ._errors import SvcError, VerificationError
from ._exports import PackageFacts
from ._operation import AsyncListing, Listing, Page
from ._sync import Client, Download, EventLog, Exports, Stream

del _httpx

__all__ = [
    "ERRORS",
    "AsyncClient",
    "AsyncDownload",
    "AsyncEventLog",
    "AsyncExports",
    "AsyncListing",
    "AsyncStream",
    "AuditPackInput",
    "Client",
    "Download",
    "DownloadTicket",
    "Erasure",
    "EventInput",
    "EventLog",
    "ExportInfo",
    "ExportInput",
    "Exports",
    "ListedStream",
    "Listing",
    "LogInput",
    "LoggedEvent",
    "OnlineReport",
    "PackageFacts",
    "PackageReport",
    "Page",
    "ProofState",
    "ReceiptRecord",
    "RecordedVerification",
    "RedactedRecord",
    "ServiceCode",
    "ServiceKeys",
    "Stream",
    "StreamHead",
    "StreamInfo",
    "StreamInput",
    "SvcError",
    "VerificationError",
    "WholeLoggedEvent",
]
