"""An operation is written once, as a flow; a client of either kind drives it.

`operation` makes a method of a flow: it returns the result on a synchronous client, and an awaitable on an
asynchronous one. `listing` does the same for what comes in pages.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from ._errors import SvcError
from ._steps import Flow
from ._transport import Transport, with_query

P = ParamSpec("P")
T = TypeVar("T")
Item = TypeVar("Item")


class Synchronous:
    """A client that waits."""

    def _run(self, flow: Flow[T]) -> T:
        """Drive a flow to its end."""
        raise NotImplementedError


class Asynchronous:
    """A client that lets others run while it waits."""

    async def _run(self, flow: Flow[T]) -> T:
        """Drive a flow to its end."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """One page of a list. `next_cursor` is None at the end of the list, and only there."""

    items: list[Item]
    next_cursor: str | None


# Gets the page behind a cursor; the second parameter is the last item of the page before it, if that is known.
Fetch = Callable[["str | None", "Item | None"], Flow[Page[Item]]]


class _Walk(Generic[Item]):
    """Where an iteration over a list stands.

    Pages may be empty, so only a list that leads back to one of its pages is known to have no end. The kept cursor is
    replaced after 1, 2, 4, ... pages (Brent's algorithm), so that a circle of any length is found with one cursor.
    """

    def __init__(self, cursor: str | None) -> None:
        self.cursor = cursor
        self.before: Item | None = None
        self._kept, self._pages, self._turn = cursor, 0, 1

    def follow(self, page: Page[Item]) -> bool:
        """Go on to the next page. Returns whether there is one."""
        following = page.next_cursor
        if following is None:
            return False
        if following == self._kept:
            message = "The service's list leads back to a page that it led to before."
            raise SvcError("unexpected_answer", message, 200)
        self.cursor = following
        self._pages += 1
        if self._pages == self._turn:
            self._kept, self._pages, self._turn = following, 0, 2 * self._turn
        if page.items:
            self.before = page.items[-1]
        return True


class Listing(Generic[Item]):
    """A list: iterate over every item, or ask for one page. It asks for nothing before you do."""

    def __init__(self, client: Synchronous, cursor: str | None, fetch: Fetch[Item]) -> None:
        self._client = client
        self._cursor = cursor
        self._fetch = fetch

    def page(self) -> Page[Item]:
        """Return the page at the cursor."""
        return self._client._run(self._fetch(self._cursor, None))

    def __iter__(self) -> Iterator[Item]:
        """Iterate over every item from the cursor on, one page in memory at a time."""
        walk: _Walk[Item] = _Walk(self._cursor)
        while True:
            page = self._client._run(self._fetch(walk.cursor, walk.before))
            yield from page.items
            if not walk.follow(page):
                return


class AsyncListing(Generic[Item]):
    """A list: iterate over every item with `async for`, or await one page. It asks for nothing before you do."""

    def __init__(self, client: Asynchronous, cursor: str | None, fetch: Fetch[Item]) -> None:
        self._client = client
        self._cursor = cursor
        self._fetch = fetch

    async def page(self) -> Page[Item]:
        """Return the page at the cursor."""
        return await self._client._run(self._fetch(self._cursor, None))

    async def __aiter__(self) -> AsyncIterator[Item]:
        """Iterate over every item from the cursor on, one page in memory at a time."""
        walk: _Walk[Item] = _Walk(self._cursor)
        while True:
            page = await self._client._run(self._fetch(walk.cursor, walk.before))
            for item in page.items:
                yield item
            if not walk.follow(page):
                return


class operation(Generic[P, T]):
    """A method whose flow is written once, for both kinds of clients."""

    def __init__(self, flow: Callable[Concatenate[Any, P], Flow[T]]) -> None:
        self.flow = flow
        self.__doc__ = flow.__doc__
        self.__wrapped__ = flow

    @overload
    def __get__(self, client: None, owner: type) -> operation[P, T]: ...
    @overload
    def __get__(self, client: Synchronous, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: Asynchronous, owner: type) -> Callable[P, Awaitable[T]]: ...
    def __get__(self, client: Any, owner: type) -> Any:
        """Return the method of a client."""
        if client is None:
            return self
        flow = self.flow

        @wraps(flow)
        def method(*args: P.args, **words: P.kwargs) -> Any:
            return client._run(flow(client, *args, **words))

        return method


class listing(Generic[P, Item]):
    """A method that returns a list, for both kinds of clients. Its function returns a cursor and what gets a page."""

    def __init__(self, function: Callable[Concatenate[Any, P], tuple[str | None, Fetch[Item]]]) -> None:
        self.function = function
        self.__doc__ = function.__doc__
        self.__wrapped__ = function

    @overload
    def __get__(self, client: None, owner: type) -> listing[P, Item]: ...
    @overload
    def __get__(self, client: Synchronous, owner: type) -> Callable[P, Listing[Item]]: ...
    @overload
    def __get__(self, client: Asynchronous, owner: type) -> Callable[P, AsyncListing[Item]]: ...
    def __get__(self, client: Any, owner: type) -> Any:
        """Return the method of a client."""
        if client is None:
            return self
        function = self.function
        kind: Any = Listing if isinstance(client, Synchronous) else AsyncListing

        @wraps(function)
        def method(*args: P.args, **words: P.kwargs) -> Any:
            return kind(client, *function(client, *args, **words))

        return method


def page_of(transport: Transport, path: str, query: dict[str, str | int | None]) -> Flow[Page[Any]]:
    """Return one page of a list, its items unchecked. Raises SvcError `unexpected_answer` for what is no page."""
    path = with_query(path, query)
    answer = yield from transport.get(path)
    items, following = answer.get("items"), answer.get("next_cursor", 0)
    if isinstance(items, list) and (following is None or isinstance(following, str)):
        return Page(items, following)
    what = "a page whose next_cursor leads nowhere" if isinstance(items, list) else "something without items"
    raise SvcError("unexpected_answer", f"{path} was answered with {what}.", 200)


def pages_of(transport: Transport, path: str, query: dict[str, str | int | None]) -> tuple[str | None, Fetch[Any]]:
    """Return the first cursor and the pages of a list whose items are not checked."""
    cursor = query.get("cursor")

    def fetch(cursor: str | None, before: Any) -> Flow[Page[Any]]:
        return page_of(transport, path, {**query, "cursor": cursor})

    return (cursor if isinstance(cursor, str) else None), fetch
