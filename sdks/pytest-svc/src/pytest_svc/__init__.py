"""The real service as a pytest fixture: see `pytest_svc.plugin`."""

from __future__ import annotations

from .service import Service

__all__ = ["Service"]
