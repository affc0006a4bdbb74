"""A lone key status (section 26)."""

from __future__ import annotations

from typing import Any

from .._report.examination import Examination
from .._report.model import Subject
from .._trust.key_ring import Scope
from .known_keys import KnownKeys
from .statuses import check_own, from_trust


def examine_key_status(ex: Examination, status: dict[str, Any]) -> None:
    """Examine a status by itself, together with what the trust policy holds of the installation."""
    installation = status["installationId"]
    ex.subject = Subject(id=installation)
    scope = Scope(None, None)
    own = check_own(ex, status, "", scope)
    KnownKeys(ex, [*own, *from_trust(ex, scope)]).check(installation, "")
