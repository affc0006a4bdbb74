"""Room on the disk that a spool keeps for itself.

Leaving events are recorded by writing too, and a disk full of waiting events would otherwise keep them for ever.
"""

from __future__ import annotations

import os
from contextlib import suppress

# Room for some hundred batches.
_BYTES = 256 * 1024


class Reserve:
    """The file `spool.reserve` of a folder."""

    def __init__(self, folder: str) -> None:
        self._path = os.path.join(folder, "spool.reserve")
        self._is_there = False

    def take(self) -> None:
        """Take the room, if it is not taken. Raises OSError, and leaves nothing behind then."""
        if not self._is_there:
            with suppress(FileNotFoundError):
                self._is_there = os.path.getsize(self._path) == _BYTES
        if self._is_there:
            return
        try:
            made = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
            with open(made, "wb") as file:
                file.write(bytes(_BYTES))
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            self.release()
            raise
        self._is_there = True

    def release(self) -> bool:
        """Release the room, and return whether there was any."""
        self._is_there = False
        try:
            os.remove(self._path)
        except FileNotFoundError:
            return False
        return True
