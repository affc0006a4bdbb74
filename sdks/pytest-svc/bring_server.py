"""Puts the built server into the wheel: `pnpm run build:server` writes it, or `SVC_SERVER_FOLDER` names it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PROGRAM = "svc-server.mjs"


class BringServer(BuildHookInterface[Any]):
    """The hook of hatchling."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the server's files. Raises FileNotFoundError where it was not built."""
        built = Path(self.root).parents[1] / "packages/server/dist"
        folder = Path(os.environ.get("SVC_SERVER_FOLDER") or built)
        if not (folder / _PROGRAM).is_file():
            raise FileNotFoundError(f"{folder} has no {_PROGRAM}: npx -y pnpm@12 run build:server writes it")
        files = sorted(path for path in folder.iterdir() if path.suffix in (".mjs", ".html"))
        build_data["force_include"] |= {str(path): f"pytest_svc/_server/{path.name}" for path in files}
