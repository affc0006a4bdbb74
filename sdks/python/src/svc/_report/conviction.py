"""When a report says that the holder of a key issued something wrong (section 16).

Anybody can edit a file, or put honest parts of several together, and that must accuse nobody. So the faults that can
convict are between things that are sealed, and they convict only where nothing else is wrong and one key sealed it all.
"""

from __future__ import annotations

from collections.abc import Sequence

from .._generated.codes import CODES
from .._generated.limits import VERIFIER
from .model import Problem, Signer

# They seal nothing of the service's history.
_OTHERS = ("vault", "witness")


def convicts(problems: Sequence[Problem], signers: Sequence[Signer]) -> bool:
    """Return whether all that is wrong contradicts something sealed, and one key that trust reaches sealed it all."""
    # A full list may lack problems that spoil the evidence.
    if not 0 < len(problems) < VERIFIER["max_problems"] or len(signers) >= VERIFIER["max_signers"]:
        return False
    own = [one for one in signers if one.role not in _OTHERS]
    return (
        len({one.kid for one in own}) == 1
        and all(one.reached != "none" for one in own)
        and all(CODES[one.code]["convicts"] for one in problems)
    )
