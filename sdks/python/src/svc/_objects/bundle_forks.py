"""Fork evidence in a bundle (section 11): what is valid rejects the bundle, and so does what is not."""

from __future__ import annotations

from typing import Any

from .._report.examination import Examination
from .policies import Shown


def check_forks(ex: Examination, bundle: dict[str, Any], shown: Shown) -> None:
    """Check the fork evidence of a bundle."""
