"""A running service, and the events that tests record with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import svc
from svc.client import Client, EventInput


@dataclass(frozen=True, kw_only=True)
class Service:
    """A running service, and all that a test may know of it."""

    base_url: str
    api_key: str
    erase_key: str
    system_id: str
    public_key_hex: str
    data_folder: str

    @property
    def trust(self) -> dict[str, Any]:
        return svc.pin_keys(self.public_key_hex)

    def client(self, **options: Any) -> Client:
        given = {"base_url": self.base_url, "api_key": self.api_key, "trust": self.trust, **options}
        return Client(given.pop("base_url"), **given)


def build(number: int, **changes: Any) -> EventInput:
    """Return an event."""
    event: EventInput = {
        "source_ref": f"build-{number}",
        "event_type": "build.finished",
        "occurred_at": "2026-03-01T09:30:00.5+01:00",
        "payload": {"commit": "9f2c41d0", "passed": number % 2 == 0},
    }
    return {**event, **changes}  # type: ignore[typeddict-item]
