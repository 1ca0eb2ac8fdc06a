"""A shop on FastAPI, SQLAlchemy and SQLite, before and after one line.

    python examples/fastapi_app.py            # prints the figures of both
    python examples/fastapi_app.py --serve    # serves it until Ctrl-C

The routes return rows, mapped objects and dicts as they come, without response
models, which is what sends them through FastAPI's `jsonable_encoder`. The script
serves them by uvicorn on the loopback interface, asks for each many times, then
calls `linecaster.fastapi.install()`, asks again, and compares the bodies byte by
byte. Needs fastapi, sqlalchemy and uvicorn.
"""

from __future__ import annotations

import argparse
import datetime as dt
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from http.client import HTTPConnection
from pathlib import Path

import linecaster.fastapi
import uvicorn
from fastapi import FastAPI
from sqlalchemy import Engine, ForeignKey, create_engine, func, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

COUNT = 300
CITIES = ("Amsterdam", "Köln", "Łódź", "東京", "Wien")


class Base(DeclarativeBase):
    """The tables."""


class Customer(Base):
    """Somebody who buys."""

    __tablename__ = "customer"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    city: Mapped[str]
    note: Mapped[str | None]


class Order(Base):
    """What was bought."""

    __tablename__ = "purchase"

    id: Mapped[int] = mapped_column(primary_key=True)
    customer_id: Mapped[int] = mapped_column(ForeignKey("customer.id"))
    placed: Mapped[dt.datetime]
    price: Mapped[Decimal]


def fill(engine: Engine) -> None:
    """Make the tables and their rows."""
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add_all(
            Customer(
                id=number,
                name=f"Customer {number}",
                city=CITIES[number % len(CITIES)],
                note=f"since {2000 + number % 25}" if number % 3 else None,
            )
            for number in range(1, COUNT + 1)
        )
        session.flush()
        session.add_all(
            Order(
                customer_id=number % COUNT + 1,
                placed=dt.datetime(2026, 1, 1) + dt.timedelta(minutes=number),
                price=Decimal(number * 7 % 10_000) / 100,
            )
            for number in range(COUNT)
        )
        session.commit()


def application(engine: Engine) -> FastAPI:
    """Make the app as a user would who has never heard of Linecaster."""
    app = FastAPI()
    catalogue = {
        "items": [
            {"id": number, "name": f"Tea {number}", "weights": list(range(25)), "stock": number % 9}
            for number in range(COUNT)
        ],
        "total": COUNT,
    }

    @app.get("/catalogue")
    def read_catalogue():  # type: ignore[no-untyped-def]
        return catalogue

    @app.get("/customers")
    def read_customers():  # type: ignore[no-untyped-def]
        with Session(engine) as session:
            return session.scalars(select(Customer).order_by(Customer.id)).all()

    @app.get("/orders")
    def read_orders():  # type: ignore[no-untyped-def]
        rows = select(Order.id, Customer.name, Order.placed, Order.price).join(Customer)
        with Session(engine) as session:
            return [dict(row) for row in session.execute(rows.order_by(Order.id)).mappings()]

    @app.get("/cities")
    def read_cities():  # type: ignore[no-untyped-def]
        rows = select(Customer.city, func.count().label("customers")).group_by(Customer.city)
        with Session(engine) as session:
            return {"cities": [dict(row) for row in session.execute(rows).mappings()]}

    return app


@contextmanager
def served(app: FastAPI) -> Iterator[int]:
    """Serve the app in a thread, on a free port of the loopback interface."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            if not thread.is_alive():
                raise RuntimeError("uvicorn did not start")
            time.sleep(0.01)
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


def asked(port: int, path: str, requests: int) -> tuple[bytes, float]:
    """Ask for a path many times; the body, and the median of the seconds."""
    connection = HTTPConnection("127.0.0.1", port)
    spent = []
    body = b""
    for _ in range(requests):
        started = time.perf_counter()
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        spent.append(time.perf_counter() - started)
        if answer.status != 200:
            raise RuntimeError(f"{path}: status {answer.status}")
    connection.close()
    return body, statistics.median(spent)


def compared(app: FastAPI, requests: int) -> bool:
    """Print a line for each path; whether all bodies are the same before and after."""
    paths = ("/catalogue", "/customers", "/orders", "/cities")
    print(f"{'path':12} {'bytes':>7} {'before':>10} {'after':>10}")
    with served(app) as port:
        before = {path: asked(port, path, requests) for path in paths}
        linecaster.fastapi.install()
        try:
            after = {path: asked(port, path, requests) for path in paths}
        finally:
            linecaster.fastapi.uninstall()
    for path in paths:
        (body, slow), (again, fast) = before[path], after[path]
        same = f"{slow / fast:.1f} times as fast" if body == again else "THE BODIES DIFFER"
        print(f"{path:12} {len(body):7} {slow * 1e3:7.2f} ms {fast * 1e3:7.2f} ms   {same}")
    print(f"medians of {requests} whole requests, the query included")
    return all(before[path][0] == after[path][0] for path in paths)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="FastAPI with and without Linecaster.")
    parser.add_argument("--requests", type=int, default=100, help="for each path (default 100)")
    parser.add_argument("--serve", action="store_true", help="serve on port 8000, installed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        engine = create_engine(f"sqlite:///{Path(folder) / 'shop.db'}")
        fill(engine)
        app = application(engine)
        try:
            if options.serve:
                linecaster.fastapi.install()
                uvicorn.run(app, host="127.0.0.1", port=8000)
                return 0
            return 0 if compared(app, options.requests) else 1
        finally:
            engine.dispose()


if __name__ == "__main__":
    sys.exit(main())
