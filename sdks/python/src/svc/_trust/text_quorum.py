"""The signers and witnesses of a quorum that is the text of a tlog-policy (section 16).

A separate module, since most policies have no such text, and a short process imports only what it needs.
"""

from __future__ import annotations

import re

from .._notes.verification_key import ML_DSA_44
from .policy import Pin, Witness, kid_of
from .tlog_policy import TlogPolicy

_OF_STREAM = re.compile("(.*)/(str_[0-7][0-9a-hjkmnp-tv-z]{25})", re.DOTALL).fullmatch


def log_pins(text: TlogPolicy) -> list[Pin]:
    """Return the pins of the log lines: for one stream where the name ends in its id, otherwise for a service's."""
    found = []
    for log in text.logs:
        if log.type == ML_DSA_44:
            continue
        match = _OF_STREAM(log.name)
        if match is None:
            found.append(Pin(kid_of(log.key), log.key, log.name))
        else:
            found.append(Pin(kid_of(log.key), log.key, match[1], frozenset({match[2]})))
    return found


def text_witnesses(text: TlogPolicy) -> list[Witness]:
    """Return the witnesses whose keys a verifier of this protocol can use."""
    return [Witness(one.name, one.key) for one in text.witnesses.values() if one.type != ML_DSA_44]
