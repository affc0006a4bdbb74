"""What a truth package shows: what the one of its bundles shows that shows least (section 16)."""

from __future__ import annotations

from .._report.examination import Examination

_PUBLISHED = ("none", "included", "witnessed")
_ANCHORED = ("none", "pending", "unpinned", "pinned")


def adopt_shown(ex: Examination, parts: list[Examination]) -> None:
    """Take over the least of what bundles show, member by member; of what is demanded the most."""
    if not parts:
        return
    shown = [part.shown for part in parts]
    own = ex.shown
    own.included = all(one.included for one in shown)
    own.complete = all(one.complete for one in shown) and not ex.has_failed("export")
    own.required = max(one.required for one in shown)
    own.valid = min(one.valid for one in shown)
    own.pinned = min(one.pinned for one in shown)
    own.published = min((one.published for one in shown), key=_PUBLISHED.index)
    own.anchored = min((one.anchored for one in shown), key=_ANCHORED.index)
    own.redacted = sum(one.redacted for one in shown)
