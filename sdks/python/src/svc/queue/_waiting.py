"""Waits of the tasks of a program for the queue's own thread, on asyncio and on trio."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any


async def settled(future: Future[Any]) -> None:
    """Return when a future of another thread has a result or an error. A task that is cancelled leaves it alone."""
    if _is_asyncio():
        await asyncio.wait([asyncio.wrap_future(future)])
        return
    import trio

    token = trio.lowlevel.current_trio_token()
    is_done = trio.Event()

    def tell(_: Future[Any]) -> None:
        # The program's loop may have ended meanwhile.
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(is_done.set)

    future.add_done_callback(tell)
    await is_done.wait()


async def in_thread(work: Callable[[], None]) -> None:
    """Do work that waits, in a separate thread. A task that is cancelled does not end it."""
    done: Future[None] = Future()

    def run() -> None:
        try:
            work()
        except BaseException as error:
            done.set_exception(error)
        else:
            done.set_result(None)

    threading.Thread(target=run, name="svc-waiting", daemon=True).start()
    await settled(done)
    done.result()


def _is_asyncio() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
