"""A bare witness statement (section 10): it lacks the origin that its signature covers."""

from __future__ import annotations

from typing import Any

from .._generated.codes import OWN_ACTIONS
from .._report.examination import Examination, Finding
from .._report.model import Subject


def examine_witness(ex: Examination, statement: dict[str, Any]) -> None:
    """Examine a bare statement."""
    ex.subject = Subject(id=None, stream_id=statement["stream_id"])
    ex.cannot_evaluate("witness", "the statement lacks the origin that its signature covers: it needs its checkpoint")
    message = "A bare statement cannot be checked: it needs the checkpoint that it is about."
    ex.distrust(Finding("key_not_pinned", "", message, action=OWN_ACTIONS["ask_checkpoint"]), "")
