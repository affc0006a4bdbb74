"""The errors between a client and the service: a refusal, a missing answer, or an answer that does not hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .. import _errors

if TYPE_CHECKING:
    from .._report.model import Report

# A server without the means for a request lacks them a moment later too (RFC 9110 section 15.6.2).
_NOT_IMPLEMENTED = 501
_TOO_MANY_REQUESTS = 429


class SvcError(_errors.SvcError):
    """A failed call. `code` is the service's own (`svc.client.ERRORS`), or one of the client's.

    The client's: `payload_not_json` (a value that JSON cannot carry unchanged, named in `detail["problems"]`; nothing
    was sent), `no_answer`, `unexpected_answer` (not one of the service's), `answer_too_large`, and those of
    VerificationError.
    """

    def __init__(
        self,
        code: str,
        message: str,
        status: int | None,
        *,
        detail: Mapping[str, Any] | None = None,
        retry_after_seconds: float | None = None,
        names_key: bool = False,
    ) -> None:
        super().__init__(code, message)
        # The HTTP status; None if no answer came, or nothing was sent.
        self.status = status
        # The service's `detail` object, or an empty one.
        self.detail: Mapping[str, Any] = {} if detail is None else detail
        # How long the service asks to wait; None if it does not ask.
        self.retry_after_seconds = retry_after_seconds
        # Whether the answer names the request's Idempotency-Key, so that nothing between has confused it with another.
        self.names_key = names_key
        # The key of a failed write; None for other calls. Sent again under this key, a request is recorded once.
        self.idempotency_key: str | None = None
        # How often the request had been sent when it failed.
        self.attempts = 1

    @property
    def retryable(self) -> bool:
        """Whether the same request, with the same idempotency key, may be sent again and succeed."""
        if self.code == "payload_not_json":
            return False
        status = self.status
        return status is None or status == _TOO_MANY_REQUESTS or (status >= 500 and status != _NOT_IMPLEMENTED)


_REFUSED = (
    "The answer is refused. If it is about an event that you sent, that event may be recorded: do not send it as a new "
    "one. Keep the answer (`error.answer`), and ask the operator of the service."
)


class VerificationError(SvcError):
    """An answer that does not hold: somebody changed it on its way, or the service lies. It is never sent again.

    `code` is one of the verifier's, or `receipt_mismatch` (a receipt differs from the event that was sent, or is
    another than the one that was asked for), `receipt_repeated` (a new event was answered with an older receipt),
    `receipt_redacted` (it came without its payload, and cannot be compared), `head_stale` (older than a receipt that
    the client has returned), `fork_detected`. The service may have recorded the request.
    """

    def __init__(
        self,
        code: str,
        message: str,
        answer: Any,
        *,
        report: Report | None = None,
        fork: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(code, f"{message} {_REFUSED}", 200)
        # The answer, parsed. With it others can see what you saw.
        self.answer = answer
        # The verifier's report; None if the answer contradicts what was sent or seen, but not itself.
        self.report = report
        # Portable evidence that the service has signed two histories of the stream, or None.
        self.fork = fork
