"""The shapes of evidence, of the trust policy and of the report as JSON, for type checkers: what `decode` returns."""

from ._generated.types import *  # noqa: F403
