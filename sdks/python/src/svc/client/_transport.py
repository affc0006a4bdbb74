"""One HTTP exchange with the service, repeated if repeating is safe.

A repeat has the same body and the same idempotency key; pauses grow, with jitter, and are at least as long as the
service asks for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timezone
from random import random
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from .._generated.limits import CLIENT
from .._kernel.interface import JsonFault, TooLarge
from .._kernel.select import kernel_for
from ._errors import SvcError
from ._json import json_of
from ._retry import MAX_RETRY_AFTER_SECONDS, pause_after, retry_after_seconds
from ._settings import VISIBLE_ASCII, Settings
from ._steps import Answer, Begin, Begun, Exchange, Flow, NoAnswer, Pause

_MAX_KEY_CHARACTERS = 255
_DEFAULT_MAX_BYTES: int = CLIENT["default_max_answer_bytes"]


class Transport:
    """Flows of single requests."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def send(
        self, method: str, path: str, *, body: str | None = None, key: str | None = None, max_bytes: int | None = None
    ) -> Flow[bytes]:
        """Send a request, and return the bytes of its answer. `body`: JSON text. `key`: the idempotency key.

        Raises SvcError, and ValueError for a malformed key.
        """
        if key is not None:
            require_key(key)
        request = self._exchange(method, path, body, key, max_bytes)
        attempt = 0
        while True:
            attempt += 1
            try:
                return self._body_of(request, key, (yield request))
            except SvcError as error:
                error.idempotency_key = key
                error.attempts = attempt
                asked = error.retry_after_seconds
                is_long = (asked or 0) > MAX_RETRY_AFTER_SECONDS
                if not error.retryable or attempt >= self._settings.max_attempts or is_long:
                    raise
            yield Pause(pause_after(attempt, asked, random()))

    def get(self, path: str) -> Flow[dict[str, Any]]:
        """Return the object in an answer to GET."""
        return parse_answer(path, (yield from self.send("GET", path)))

    def post(self, path: str, value: Any) -> Flow[dict[str, Any]]:
        """Send a value that needs no idempotency key, and return the object in the answer."""
        return parse_answer(path, (yield from self.send("POST", path, body=json_of(value))))

    def write(self, path: str, value: Any, key: str | None) -> Flow[dict[str, Any]]:
        """Send a value under one idempotency key, and return the object in the answer."""
        return parse_answer(path, (yield from self.write_text(path, json_of(value), key)))

    def write_text(self, path: str, text: str, key: str | None, max_bytes: int | None = None) -> Flow[bytes]:
        """Send JSON text under one idempotency key, and return the bytes of the answer."""
        own = str(uuid4()) if key is None else key
        return (yield from self.send("POST", path, body=text, key=own, max_bytes=max_bytes))

    def begin(self, path: Any, headers: Mapping[str, str], status: int) -> Flow[Begun]:
        """Begin to fetch bytes by a path that carries its own ticket. It sends no key, and never repeats."""
        # Another beginning could lead to another host: `https://evidence.example` and `.example/`.
        if not isinstance(path, str) or not path.startswith("/"):
            raise SvcError("unexpected_answer", "The service names a download that is not its own.", 200)
        reply = yield Begin(path=path, headers=headers, status=status, max_bytes=self._max_bytes(None))
        if isinstance(reply, Begun):
            return reply
        if isinstance(reply, Answer):
            if 200 <= reply.status < 300:
                _require_uncoded(reply)
                message = f"The service answered {reply.status}, which was not meant."
                raise SvcError("unexpected_answer", message, reply.status)
            raise _refusal(reply, self._read(reply, None))
        # The path contains the ticket.
        raise _no_answer(self._settings.base_url, reply)

    def _exchange(self, method: str, path: str, body: str | None, key: str | None, max_bytes: int | None) -> Exchange:
        headers = {"accept": "application/json"}
        if body is not None:
            headers["content-type"] = "application/json"
        if self._settings.api_key is not None:
            headers["authorization"] = f"Bearer {self._settings.api_key}"
        if key is not None:
            headers["idempotency-key"] = key
        data = None if body is None else body.encode()
        return Exchange(method=method, path=path, headers=headers, body=data, max_bytes=self._max_bytes(max_bytes))

    def _max_bytes(self, wanted: int | None) -> int:
        return self._settings.max_answer_bytes or wanted or _DEFAULT_MAX_BYTES

    def _body_of(self, request: Exchange, key: str | None, reply: object) -> bytes:
        if not isinstance(reply, Answer):
            raise _no_answer(f"{self._settings.base_url}{request.path}", reply)
        named = reply.headers.get("idempotency-key")
        if named is not None and named != (named if key is None else key):
            raise SvcError("unexpected_answer", "The answer is one to another request: it names its key.", None)
        body = self._read(reply, request.max_bytes)
        if not 200 <= reply.status < 300:
            raise _refusal(reply, body)
        return body

    def _read(self, answer: Answer, max_bytes: int | None) -> bytes:
        _require_uncoded(answer)
        if answer.body is not None:
            return answer.body
        most = self._max_bytes(max_bytes)
        message = f"The answer has more than {most} bytes, and was not read further. Set max_answer_bytes where it may."
        raise SvcError("answer_too_large", message, answer.status)


def is_coded(headers: Mapping[str, str]) -> bool:
    """Tell whether a body is in a content coding. None was asked for, and a few bytes can be decoded to gigabytes."""
    return headers.get("content-encoding", "").strip().lower() not in ("", "identity")


def _require_uncoded(answer: Answer) -> None:
    if is_coded(answer.headers):
        coding = answer.headers["content-encoding"][:40]
        message = f"The answer is in the content coding {coding!r}, which was not asked for, and was not read."
        raise SvcError("unexpected_answer", message, answer.status)


def parse_answer(path: str, data: bytes) -> dict[str, Any]:
    """Return the object in an answer, which must be strict JSON. Raises SvcError `unexpected_answer`."""
    what = "a JSON object"
    try:
        value = kernel_for("auto", len(data)).parse(data)
    except JsonFault as fault:
        what, value = f"JSON: {fault.code} at byte {fault.offset}", None
    except TooLarge:
        what, value = "JSON that fits into memory", None
    if isinstance(value, dict):
        return value
    raise SvcError("unexpected_answer", f"{path} was answered with something else than {what}.", 200)


def require_key(key: str) -> None:
    """Raise ValueError for what is no idempotency key."""
    if VISIBLE_ASCII(key) is None or len(key) > _MAX_KEY_CHARACTERS:
        raise ValueError("an idempotency key is 1 to 255 visible ASCII characters")


def with_query(path: str, parameters: Mapping[str, str | int | None]) -> str:
    """Return the path with the given parameters as its query; None is left out."""
    given = {name: value for name, value in parameters.items() if value is not None}
    return f"{path}?{urlencode(given)}" if given else path


def _no_answer(whence: str, reply: object) -> SvcError:
    cause = reply.cause if isinstance(reply, NoAnswer) else None
    error = SvcError("no_answer", f"No answer from {whence}: {type(cause).__name__}: {cause}", None)
    error.__cause__ = cause
    return error


def _refusal(answer: Answer, body: bytes) -> SvcError:
    """Return the error of an answer whose status is not one of success."""
    status = answer.status
    asked = retry_after_seconds(answer.headers.get("retry-after"), datetime.now(timezone.utc))
    if 300 <= status < 400:
        # A service never redirects: a redirect comes from something else.
        return SvcError("unexpected_answer", "The service sends elsewhere, and is not followed.", status)
    try:
        detail = json.loads(body)["detail"]
        code, message = detail["code"], detail["message"]
    except (ValueError, TypeError, LookupError, RecursionError):
        detail = code = message = None
    # Other servers may have a member of this name: that is no refusal of the service's.
    if isinstance(detail, dict) and isinstance(code, str) and isinstance(message, str):
        named = "idempotency-key" in answer.headers
        return SvcError(code, message, status, detail=detail, retry_after_seconds=asked, names_key=named)
    message = f"The service answered {status} without saying why."
    return SvcError("unexpected_answer", message, status, retry_after_seconds=asked)
