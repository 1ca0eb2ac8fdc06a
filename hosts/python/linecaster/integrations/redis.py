"""Values in JSON for caches in Redis.

`JSONSerializer` has `dumps`, to bytes, and `loads`. Django's own Redis cache
takes it as the option `serializer`, django-redis as `SERIALIZER`, RQ as
`serializer`; with the `redis` package alone it is called around `set` and
`get`. Nothing of Redis is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import linecaster

__all__ = ["JSONSerializer"]


class JSONSerializer:
    """Values as compact JSON in UTF-8.

    Takes the types of `linecaster.encode`, and keys that are not strings;
    `default` is asked for others. What was a date or a UUID comes back as a
    string: JSON does not know them.
    """

    def __init__(
        self,
        options: object = None,  # noqa: ARG002
        *,
        default: Callable[[Any], Any] | None = None,
    ) -> None:
        """Make a serializer; `options`, which caches give, are not used."""
        self._encoder = linecaster.Encoder(default=default, non_str_keys=True)

    def dumps(self, value: Any) -> bytes:
        """Encode a value."""
        return self._encoder.encode(value)

    def loads(self, data: str | bytes | bytearray | memoryview) -> Any:
        """Decode what `dumps` gave."""
        return linecaster.loads(data)
