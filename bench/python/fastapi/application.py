"""A real app, and requests to it without a network.

Nothing in these requests waits for anything, so a request is one coroutine that
runs to its end when it is started: no event loop takes part, and what is timed
is the framework and the route alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import FastAPI

_SCOPE: dict[str, Any] = {
    "type": "http",
    "asgi": {"version": "3.0", "spec_version": "2.3"},
    "http_version": "1.1",
    "method": "GET",
    "scheme": "http",
    "path": "/value",
    "raw_path": b"/value",
    "root_path": "",
    "query_string": b"",
    "headers": [(b"host", b"localhost"), (b"accept", b"*/*")],
    "client": ("127.0.0.1", 50000),
    "server": ("127.0.0.1", 8000),
}


def application(answer: Callable[[Any], Any], value: Any) -> FastAPI:
    """Make an app whose only route returns the answer for a value, unannotated."""
    app = FastAPI()

    @app.get("/value")
    async def route():  # type: ignore[no-untyped-def]
        return answer(value)

    return app


async def _receive() -> dict[str, Any]:
    return {"type": "http.request", "body": b"", "more_body": False}


def requesting(app: FastAPI) -> Callable[[Any], bytes]:
    """Return a function that makes one request and returns the body; it takes anything."""

    def request(_: Any) -> bytes:
        sent: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        # The app writes into the scope, so each request has one of its own.
        running = app(_SCOPE.copy(), _receive, send)  # type: ignore[arg-type]
        try:
            running.send(None)
        except StopIteration:
            pass
        else:
            running.close()
            raise RuntimeError("the request waits for something")
        if sent[0]["status"] != 200:
            raise RuntimeError(f"the app answered {sent[0]['status']}")
        body: bytes = sent[1]["body"]
        return body

    return request
