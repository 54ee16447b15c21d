"""Lists: iterating reads page after page, as far as needed."""

from __future__ import annotations

from typing import Any, AsyncIterator, Dict, Generator, Generic, Iterator, List, Optional, TypeVar, cast

from ._async_driver import AsyncDriver
from ._calls import Operation, Options, call
from ._driver import Driver
from ._flow import Emit, Flow
from ._operations import next_page
from ._options import Settings

Item = TypeVar("Item")


def _pages(settings: Settings, operation: Operation, options: Options) -> Flow[None]:
    pending: List[Operation] = [operation]
    while pending:
        page: Dict[str, Any] = yield from call(settings, pending[0], options)
        pending = next_page(pending[0], page)
        yield Emit(page)


class Pages(Generic[Item]):
    """All items of a list, over all its pages. `data`, `has_more` and `next_cursor` are of the first page."""

    def __init__(self, driver: Driver, settings: Settings, operation: Operation, options: Options) -> None:
        self._driver = driver
        self._settings = settings
        self._operation = operation
        self._options = options
        self._first: Optional[Dict[str, Any]] = None

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page["data"]

    def pages(self) -> Generator[Dict[str, Any], None, None]:
        """The pages as the API gives them."""
        return self._driver.iterate(_pages(self._settings, self._operation, self._options))

    def page(self) -> Dict[str, Any]:
        """The first page as the API gives it; read once."""
        if self._first is None:
            self._first = cast("Dict[str, Any]", self._driver.run(call(self._settings, self._operation, self._options)))
        return self._first

    @property
    def data(self) -> List[Item]:
        return self.page()["data"]

    @property
    def has_more(self) -> bool:
        return bool(self.page().get("has_more"))

    @property
    def next_cursor(self) -> Optional[str]:
        return self.page().get("next_cursor")


class AsyncPages(Generic[Item]):
    """All items of a list, over all its pages. Awaiting it gives the first page as the API does."""

    def __init__(self, driver: AsyncDriver, settings: Settings, operation: Operation, options: Options) -> None:
        self._driver = driver
        self._settings = settings
        self._operation = operation
        self._options = options

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page["data"]:
                yield item

    def __await__(self) -> Generator[Any, Any, Dict[str, Any]]:
        return self.page().__await__()

    def pages(self) -> AsyncIterator[Dict[str, Any]]:
        """The pages as the API gives them."""
        return self._driver.iterate(_pages(self._settings, self._operation, self._options))

    async def page(self) -> Dict[str, Any]:
        """The first page as the API gives it."""
        return await self._driver.run(call(self._settings, self._operation, self._options))
