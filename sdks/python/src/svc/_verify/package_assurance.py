"""What a truth package shows: what the one of its bundles shows that shows least (section 16)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from .._report.examination import Examination
from .._report.model import Provenance

_Word = TypeVar("_Word", bound=str)
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
    provenances = [one.provenance for one in shown if one.provenance is not None]
    if provenances:
        own.provenance = _summed(provenances)


def _summed(parts: list[Provenance]) -> Provenance:
    """Return the counts added up, and the lowest word of each sort."""
    chains, keys = ("none", "partial", "complete"), ("none", "service-vouched", "pinned")
    words, custody = ("none", "service", "verifier"), ("none", "ceremony", "x509")
    above = [one for one in parts if any(one.effective[level] for level in ("L1", "L2", "L3"))]
    return Provenance(
        events=sum(one.events for one in parts),
        installations=sum(one.installations for one in parts),
        vault_chain=_lowest([one.vault_chain for one in parts], chains),
        vault_keys=_lowest([one.vault_keys for one in parts], keys),
        claimed={level: sum(one.claimed[level] for one in parts) for level in parts[0].claimed},
        effective={level: sum(one.effective[level] for one in parts) for level in parts[0].effective},
        substantiated_by=_lowest([one.substantiated_by for one in above], words) if above else "none",
        key_custody=_lowest([one.key_custody for one in parts], custody),
        software_root=any(one.software_root for one in parts),
    )


def _lowest(words: Sequence[_Word], order: Sequence[str]) -> _Word:
    return min(words, key=lambda word: order.index(word))
