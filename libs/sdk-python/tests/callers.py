"""Runs the same test with the blocking and the asynchronous client."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any, Callable, List, Optional

from kinora import AsyncKinora, Kinora


class SyncCaller:
    name = "sync"

    def call(self, base_url: str, use: Callable[[Any], Any], **settings: Any) -> Any:
        with Kinora(**{"api_key": "knr_test_x", "base_url": base_url, **settings}) as client:
            return use(client)

    def resume(self, error: Any) -> Any:
        return error.resume()

    def collect(self, base_url: str, use: Callable[[Any], Any], limit: Optional[int], **settings: Any) -> List[Any]:
        items: List[Any] = []
        with Kinora(**{"api_key": "knr_test_x", "base_url": base_url, **settings}) as client:
            for item in use(client):
                items.append(item)
                if len(items) == limit:
                    break
        return items


class AsyncCaller:
    name = "async"

    def call(self, base_url: str, use: Callable[[Any], Any], **settings: Any) -> Any:
        async def run() -> Any:
            async with AsyncKinora(**{"api_key": "knr_test_x", "base_url": base_url, **settings}) as client:
                result = use(client)
                return await result if inspect.isawaitable(result) else result

        return asyncio.run(run())

    def collect(self, base_url: str, use: Callable[[Any], Any], limit: Optional[int], **settings: Any) -> List[Any]:
        async def run() -> List[Any]:
            items: List[Any] = []
            async with AsyncKinora(**{"api_key": "knr_test_x", "base_url": base_url, **settings}) as client:
                async for item in use(client):
                    items.append(item)
                    if len(items) == limit:
                        break
            return items

        return asyncio.run(run())
