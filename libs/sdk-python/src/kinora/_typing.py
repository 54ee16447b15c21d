"""Types that the generated ones refer to."""

from __future__ import annotations

import os
from typing import IO, Any, AsyncIterable, Iterable, Union

FileSource = Union[str, "os.PathLike[str]", bytes, IO[bytes], Iterable[bytes], AsyncIterable[bytes]]
"""A URL or data URI, which is sent as it is; a path, bytes, or a stream of bytes, which are read here.

A text that is no URL is a path on this machine: never pass a text of your own users unchecked.
"""


class ReadOnly:
    """Stands in at run time for the type of this name, so that httpx stays the only dependency."""

    def __class_getitem__(cls, item: Any) -> Any:
        return item
