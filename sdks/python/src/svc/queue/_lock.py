"""One queue for one spool. The operating system releases the lock with the process, however that ends."""

from __future__ import annotations

import os
import sqlite3

from ._errors import QueueError


def lock_spool(folder: str) -> sqlite3.Connection:
    """Take the folder's lock, which is let go when the connection is closed.

    Raises QueueError `spool_in_use` if another queue has it.
    """
    path = os.path.join(folder, "spool.lock")
    # SQLite would make the file readable by others. An existing file is not opened here: closing it would release a
    # lock that this process has on it.
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        os.chmod(path, 0o600)
    lock = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        if "locked" not in str(error) and "busy" not in str(error):
            raise
        message = f"Another queue has the spool {folder}. Close it first, or use another folder."
        raise QueueError("spool_in_use", message) from None
    return lock
