"""`linecaster.fastapi.install` in real apps: every message with it is as without it."""

import asyncio
import concurrent.futures
import contextvars
import datetime as dt
import decimal
import enum
import functools
import gc
import itertools
import json
import uuid
import warnings
import weakref
from typing import Any

import pytest
from frameworks import need

fastapi = need("fastapi")
encoders = need("fastapi.encoders")
exception_handlers = need("fastapi.exception_handlers")
routing = need("fastapi.routing")
sse = need("fastapi.sse")
applications = need("starlette.applications")
responses = need("starlette.responses")
starlette_routing = need("starlette.routing")
pydantic = need("pydantic")

from linecaster import fastapi as door  # noqa: E402
from linecaster.fastapi import _install, _versions  # noqa: E402

early_name = encoders.jsonable_encoder
MODULES = [encoders, routing, exception_handlers, need("fastapi.openapi.utils")]
MODULES.append(need("fastapi.openapi.docs"))


class Model(pydantic.BaseModel):
    when: dt.datetime = dt.datetime(2026, 1, 2, 3, 4, 5)
    price: decimal.Decimal = decimal.Decimal("1.50")
    note: str | None = None


class Color(enum.Enum):
    RED = "réd"


class Opaque:
    __slots__ = ()


class Plain(responses.JSONResponse):
    media_type = "application/vnd.api+json"


class Indented(responses.JSONResponse):
    def render(self, content: Any) -> bytes:
        assert not hasattr(content, "body")
        return json.dumps(content, indent=1).encode()


class Wrapped(responses.JSONResponse):
    def render(self, content: Any) -> bytes:
        return super().render({"data": content})


class Started(responses.JSONResponse):
    def __init__(self, content: Any, status_code: int = 200, **kwargs: Any) -> None:
        assert type(content) is dict
        super().__init__({"seen": content}, status_code, **kwargs)


class Made(responses.JSONResponse):
    def __new__(cls, content: Any, **kwargs: Any) -> Any:
        assert type(content) is dict
        return super().__new__(cls)


class Meta(type):
    def __call__(cls, content: Any, **kwargs: Any) -> Any:
        assert type(content) is dict
        return super().__call__([content], **kwargs)


class Metaclassed(responses.JSONResponse, metaclass=Meta):
    pass


def rich() -> dict[str, Any]:
    return {
        "id": uuid.UUID(int=5),
        "models": [Model(), Model(note="ü")],
        "color": Color.RED,
        "at": dt.timedelta(seconds=1.5),
        "set": {3},
        "generated": (n * n for n in range(3)),
        "_sa_state": 1,
        Color.RED: None,
        "text": "\u2028 </script> \x7f \U0001f600",
    }


done: list[str] = []
seen_classes: list[type] = []


class NotedRoute(routing.APIRoute):
    """Notes the class of each response on its way out."""

    def get_route_handler(self) -> Any:
        handler = super().get_route_handler()

        async def noted(request: Any) -> Any:
            response = await handler(request)
            seen_classes.append(type(response))
            return response

        return noted


def header_dependency(response: fastapi.Response) -> None:
    response.headers["x-dependency"] = "yes"
    response.set_cookie("biscuit", "1")


def status_dependency(response: fastapi.Response) -> None:
    response.status_code = 418


RESPONSE_CLASSES = [
    responses.JSONResponse, Plain, Indented, Wrapped, Started, Made, Metaclassed,
    responses.PlainTextResponse, responses.HTMLResponse,
]  # fmt: skip


def add_routes(router: Any) -> None:
    @router.get("/plain")
    async def plain():
        return rich()

    @router.get("/sync")
    def sync():
        return rich()

    @router.get("/scalar/{kind}")
    async def scalar(kind: int):
        return [None, True, 5, "text", 1.5, [], {}, [Model()], Color.RED, b"ab"][kind]

    @router.get("/annotated")
    async def annotated() -> Model:
        return Model()

    @router.get("/model", response_model=Model, response_model_exclude_none=True)
    def model():
        return {"note": None}

    @router.get("/model-in-class", response_class=Plain, response_model=list[Model])
    def model_in_class():
        return [Model()]

    @router.get("/given")
    async def given():
        return responses.JSONResponse({"é": 1}, 201, {"x-own": "1"})

    @router.get("/status", status_code=201)
    async def status():
        return rich()

    @router.get("/empty", status_code=204)
    async def empty():
        return None

    @router.get("/not-empty", status_code=204)
    async def not_empty():
        return {"a": 1}

    @router.head("/plain")
    def head():
        return {"a": 1}

    @router.get("/headers", dependencies=[fastapi.Depends(header_dependency)])
    async def headers(response: fastapi.Response):
        response.headers["x-endpoint"] = "yes"
        return rich()

    @router.get("/teapot", dependencies=[fastapi.Depends(status_dependency)])
    async def teapot():
        return {"a": 1}

    @router.get("/background")
    async def background(tasks: fastapi.BackgroundTasks):
        tasks.add_task(done.append, "background")
        return rich()

    @router.post("/body/{number}")
    def body(number: int, item: Model, limit: int = fastapi.Query(gt=3)):
        return {"number": number, "item": item, "limit": limit}

    @router.get("/http-error")
    async def http_error():
        raise fastapi.HTTPException(409, {"why": ["é"]}, {"x-error": "1"})

    @router.get("/failing/{kind}")
    async def failing(kind: str):
        ring: list[Any] = []
        ring.append(ring)
        return {
            "nan": [float("nan")], "surrogate": "\ud800", "opaque": {"a": Opaque()},
            "ring": ring, "key": {(1, 2): 3}, "bytes": b"\xff",
            "both": [float("inf"), Opaque()], "value": enum.Enum("E", {"A": object()}).A,
        }[kind]  # fmt: skip

    @router.get("/wrong", response_model=Model)
    async def wrong():
        return {"price": "much"}

    for number, response_class in enumerate(RESPONSE_CLASSES):

        @router.get(f"/class/{number}", response_class=response_class)
        async def classed(text: bool = not issubclass(response_class, responses.JSONResponse)):
            return "text" if text else {"model": Model(), "text": "ü"}

    @router.get("/jsonl")
    async def jsonl():
        yield rich()
        yield Model()
        yield [float("nan"), "é"]

    @router.get("/sync-jsonl", response_class=responses.StreamingResponse)
    def raw_stream():
        yield b"a"
        yield b"b"

    @router.get("/sse", response_class=sse.EventSourceResponse)
    async def events():
        yield rich()
        yield sse.ServerSentEvent(data={"color": Color.RED}, event="e", id="1")

    @router.get("/sync-sse", response_class=sse.EventSourceResponse)
    def sync_events():
        yield {"model": Model()}
        yield sse.ServerSentEvent(data=[dt.date(2026, 1, 2)])

    @router.websocket("/socket/{number}")
    async def socket(websocket: fastapi.WebSocket, number: int):
        await websocket.accept()
        await websocket.send_json({"é": number})
        await websocket.close()


def make_app(**options: Any) -> Any:
    """Make an app with the routes on it, in a router, in two routers, and mounted."""
    app = fastapi.FastAPI(
        swagger_ui_parameters={"deepLinking": False, "tags": {1}},
        swagger_ui_init_oauth={"clientId": "é", "date": "x"},
        **options,
    )
    app.router.route_class = NotedRoute
    add_routes(app)
    inner = fastapi.APIRouter(prefix="/inner")
    add_routes(inner)
    outer = fastapi.APIRouter(prefix="/outer", default_response_class=Plain)
    outer.include_router(inner)
    app.include_router(outer)
    mounted = fastapi.FastAPI()
    add_routes(mounted)
    app.mount("/mounted", mounted)

    @app.get("/example")
    def example(
        q: str = fastapi.Query("a", openapi_examples={"a": {"value": dt.date(2026, 1, 2)}}),
        token: str = fastapi.Security(fastapi.security.OAuth2PasswordBearer("t")),
    ):
        return q

    return app


async def request(app: Any, method: str, path: str, body: bytes | None = None) -> Any:
    """Send one request; return all messages of the answer, or the error."""
    path, _, query = path.partition("?")
    kind = "websocket" if method == "WS" else "http"
    headers = [(b"host", b"test")]
    if body is not None:
        headers.append((b"content-type", b"application/json"))
    scope = {
        "type": kind, "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
        "path": path, "raw_path": path.encode(), "query_string": query.encode(),
        "headers": headers, "root_path": "", "scheme": "http", "server": ("test", 80),
        "client": ("client", 1), "subprotocols": [],
    }  # fmt: skip
    sent: list[dict[str, Any]] = []
    pending = [{"type": "websocket.connect"}]
    if kind == "http":
        pending = [{"type": "http.request", "body": body or b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        if pending:
            return pending.pop(0)
        await asyncio.sleep(60)
        raise AssertionError("nobody waits this long")

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    try:
        await app(scope, receive, send)
    except Exception as error:
        arguments = error.args
        if type(error).__name__ == "ResponseValidationError":
            # Its text names the endpoint by an id that may have been another's.
            arguments = error.errors()
        return sent, type(error), repr(arguments).split(" at 0x")[0]
    return sent


SCALARS = [("GET", f"/scalar/{n}", None) for n in range(10)]
CLASSES = [("GET", f"/class/{n}", None) for n in range(len(RESPONSE_CLASSES))]
FAILING = ["nan", "surrogate", "opaque", "ring", "key", "bytes", "both", "value"]
REQUESTS = [
    *(("GET", f"/{name}", None) for name in (
        "plain sync annotated model model-in-class given status empty not-empty headers teapot "
        "background http-error wrong missing jsonl sync-jsonl sse sync-sse"
    ).split()),
    ("HEAD", "/plain", None),
    ("POST", "/body/1?limit=4", b'{"price": 2}'),
    ("POST", "/body/x?limit=1", b'{"price": "\xc3\xa9"}'),
    ("POST", "/body/1?limit=4", b"{nonsense"),
    ("WS", "/socket/1", None),
    ("WS", "/socket/none", None),
    *SCALARS, *CLASSES,
    *(("GET", f"/failing/{kind}", None) for kind in FAILING),
]  # fmt: skip
PREFIXES = ["", "/outer/inner", "/mounted"]
PAGES = [("GET", page, None) for page in ("/openapi.json", "/docs", "/redoc", "/example")]
ALL = [
    *((method, prefix + path, body) for prefix in PREFIXES for method, path, body in REQUESTS),
    *PAGES,
]


async def answer(app: Any, wanted: Any) -> Any:
    """All that can be seen of one request."""
    done.clear()
    seen_classes.clear()
    messages = await request(app, *wanted)
    return messages, list(done), list(seen_classes)


@pytest.fixture(scope="module")
def expected() -> list[Any]:
    """The answers of FastAPI without anything installed."""
    app = make_app()

    async def collect() -> list[Any]:
        return [await answer(app, wanted) for wanted in ALL]

    return asyncio.run(collect())


@pytest.fixture(autouse=True)
def clean():
    """Leave FastAPI as it was found."""
    before = bindings()
    yield
    door.uninstall()
    assert bindings() == before


def bindings() -> list[Any]:
    found = [module.jsonable_encoder for module in MODULES]
    return [*found, routing.serialize_response, responses.JSONResponse.render]


def assert_same(app: Any, expected: list[Any]) -> None:
    async def compare() -> None:
        for wanted, before in zip(ALL, expected, strict=True):
            assert await answer(app, wanted) == before, wanted

    asyncio.run(compare())


def counted(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Count what is encoded to bytes and what to a tree by Linecaster."""
    counts = {"encode": 0, "jsonable_encoder": 0}

    def count(name: str, function: Any) -> Any:
        def counting(*args: Any, **kwargs: Any) -> Any:
            counts[name] += 1
            return function(*args, **kwargs)

        return counting

    for name in counts:
        monkeypatch.setattr(_install, name, count(name, getattr(door, name)))
    return counts


def test_answers_show_something(expected):
    by_request = {wanted[:2]: found[0] for wanted, found in zip(ALL, expected, strict=True)}
    start, body = by_request["GET", "/plain"][:2]
    assert start["status"] == 200
    assert json.loads(body["body"])["models"][1]["note"] == "ü"
    assert by_request["POST", "/body/x?limit=1"][0]["status"] == 422
    assert by_request["GET", "/failing/nan"][1] is ValueError
    assert by_request["WS", "/socket/none"][0]["code"] == 1008
    assert any(m["type"] == "websocket.send" for m in by_request["WS", "/socket/1"])
    for page in PAGES[:3]:
        assert by_request[page[:2]][0]["status"] == 200


def test_process_wide_before_routes(expected, monkeypatch):
    counts = counted(monkeypatch)
    assert door.install() is True
    assert_same(make_app(), expected)
    assert counts["encode"] > 60
    assert counts["jsonable_encoder"] > 40


def test_process_wide_after_routes_and_start(expected):
    app = make_app()
    assert asyncio.run(request(app, "GET", "/scalar/1"))[1]["body"] == b"true"
    door.install()
    assert_same(app, expected)
    door.uninstall()
    assert_same(app, expected)


@pytest.mark.parametrize("is_started", [False, True])
def test_one_app(expected, monkeypatch, is_started):
    app, other = make_app(), make_app()
    if is_started:
        asyncio.run(request(app, "GET", "/scalar/1"))
    counts = counted(monkeypatch)
    assert door.install(app)
    assert_same(other, expected)
    assert counts == {"encode": 0, "jsonable_encoder": 0}
    assert encoders.jsonable_encoder is early_name
    assert_same(app, expected)
    assert counts["encode"] > 60
    counts.update(encode=0, jsonable_encoder=0)
    door.uninstall(app)
    assert_same(app, expected)
    assert counts == {"encode": 0, "jsonable_encoder": 0}


def test_fused_only_where_nobody_sees_the_tree(monkeypatch):
    counts = counted(monkeypatch)
    app = make_app()
    door.install()
    fused = []
    for number, response_class in enumerate(RESPONSE_CLASSES):
        counts["encode"] = 0
        asyncio.run(request(app, "GET", f"/class/{number}"))
        if counts["encode"]:
            fused.append(response_class)
    assert fused == [responses.JSONResponse, Plain]


def test_replaced_render_gets_the_tree(monkeypatch):
    app = make_app()
    door.install()
    monkeypatch.setattr(Plain, "render", lambda self, content: repr(content).encode())
    sent = asyncio.run(request(app, "GET", "/class/1"))
    assert sent[1]["body"].startswith(b"{'model': {'when'")
    monkeypatch.undo()
    monkeypatch.setattr(
        responses.JSONResponse, "render", lambda self, content: repr(content).encode()
    )
    sent = asyncio.run(request(app, "GET", "/class/0"))
    assert sent[1]["body"].startswith(b"{'model': {'when'")


def test_install_is_idempotent():
    app = make_app()
    before = bindings()
    for _ in range(2):
        door.install()
        door.install(app)
    layer = app.build_middleware_stack
    door.install(app)
    assert app.build_middleware_stack == layer
    installed = bindings()
    assert not any(new is old for new, old in zip(installed, before, strict=True))
    door.uninstall(app)
    assert bindings() == installed
    assert "build_middleware_stack" not in vars(app)
    for _ in range(2):
        door.uninstall()
    assert bindings() == before


def test_uninstall_without_an_app_undoes_all():
    app = make_app()
    asyncio.run(request(app, "GET", "/plain"))
    stack = app.middleware_stack
    door.install(app)
    assert app.middleware_stack is not stack
    assert app.middleware_stack.app is stack
    door.uninstall()
    assert app.middleware_stack is stack
    door.uninstall(app)


def test_middleware_may_be_added_after_install(expected):
    app = make_app()
    door.install(app)
    seen = []

    @app.middleware("http")
    async def note(request: Any, call_next: Any) -> Any:
        response = await call_next(request)
        seen.append(response.status_code)
        return response

    assert asyncio.run(request(app, "GET", "/status"))[0]["status"] == 201
    assert seen == [201]
    with pytest.raises(RuntimeError):
        app.add_middleware(lambda app: app)


def test_layer_of_somebody_else_stays(monkeypatch):
    app = make_app()
    own = app.build_middleware_stack
    theirs = app.build_middleware_stack = functools.partial(own)
    door.install(app)
    door.uninstall(app)
    assert app.build_middleware_stack is theirs
    counts = counted(monkeypatch)
    door.install(app)
    inner = app.build_middleware_stack
    app.build_middleware_stack = functools.partial(inner)
    asyncio.run(request(app, "GET", "/plain"))
    assert counts["encode"] == 1
    door.uninstall(app)
    assert asyncio.run(request(app, "GET", "/plain"))[0]["status"] == 200
    assert counts["encode"] == 1


def test_name_that_somebody_replaced_later_stays(monkeypatch):
    door.install()
    ours = exception_handlers.jsonable_encoder

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return ours(*args, **kwargs)

    monkeypatch.setattr(exception_handlers, "jsonable_encoder", wrapper)
    door.uninstall()
    assert exception_handlers.jsonable_encoder is wrapper
    assert wrapper([{1}]) == [[1]]
    monkeypatch.undo()
    exception_handlers.jsonable_encoder = early_name


def test_request_given_up_in_another_context():
    app = fastapi.FastAPI()

    @app.get("/slow")
    async def slow():
        await asyncio.Event().wait()

    door.install(app)

    async def start() -> Any:
        coroutine = request(app, "GET", "/slow")
        contextvars.Context().run(coroutine.send, None)
        return coroutine

    coroutine = asyncio.run(start())
    coroutine.close()
    with pytest.raises(RuntimeError, match="cannot reuse"):
        coroutine.send(None)


def test_app_is_not_kept_alive():
    app = make_app()
    door.install(app)
    gone = weakref.ref(app)
    del app
    gc.collect()
    assert gone() is None


def test_early_and_late_names(monkeypatch):
    door.install()
    assert early_name is not encoders.jsonable_encoder
    late_name = encoders.jsonable_encoder
    assert late_name.__name__ == "jsonable_encoder"
    counts = counted(monkeypatch)
    value = [Model(), {1}]
    assert late_name(value) == early_name(value)
    assert late_name(obj=value, exclude_none=True) == early_name(value, exclude_none=True)
    assert counts["jsonable_encoder"] >= 2
    door.uninstall()
    counts["jsonable_encoder"] = 0
    assert late_name(value) == early_name(value)
    assert counts["jsonable_encoder"] == 0


def test_serialize_response_called_by_others(monkeypatch):
    counts = counted(monkeypatch)
    door.install()

    async def app() -> Any:
        actual_response_class = responses.JSONResponse
        content = await routing.serialize_response(response_content={Color.RED: {1}})
        return content, actual_response_class

    assert asyncio.run(app())[0] == {"réd": [1]}
    task = asyncio.run(routing.serialize_response(response_content={1}))
    assert task == [1]
    assert counts == {"encode": 0, "jsonable_encoder": 2}


def test_wrapped_get_request_handler(expected, monkeypatch):
    original = routing.get_request_handler

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        handler = original(*args, **kwargs)

        async def traced(request: Any) -> Any:
            return await handler(request)

        return traced

    monkeypatch.setattr(routing, "get_request_handler", wrapper)
    counts = counted(monkeypatch)
    app = make_app()
    assert door.install()
    assert_same(app, expected)
    assert counts["encode"] > 60


def test_concurrent_requests_in_threads(expected):
    app, other = make_app(), make_app()
    door.install(app)
    by_request = {wanted: found[0] for wanted, found in zip(ALL, expected, strict=True)}
    chosen = [
        wanted for wanted in ALL
        if wanted[1].rpartition("/")[2] in ("plain", "sync", "jsonl", "sse", "headers", "nan")
    ]  # fmt: skip

    async def gather(rounds: int) -> None:
        pairs = list(itertools.product([app, other], chosen)) * rounds
        found = await asyncio.gather(*(request(one, *wanted) for one, wanted in pairs))
        for (_, wanted), messages in zip(pairs, found, strict=True):
            assert messages == by_request[wanted], wanted

    def work(number: int) -> None:
        for _ in range(3):
            asyncio.run(gather(2))
            if number == 0:
                door.install()
                door.uninstall(other)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))


def test_own_response_class():
    content = {"_sa": 1, "é": [1.5, None, "\x7f"], "_sab": {"_sa": True}}
    ours, theirs = door.JSONResponse(content, 201), responses.JSONResponse(content, 201)
    assert ours.body == theirs.body
    assert ours.raw_headers == theirs.raw_headers
    assert type(ours.body) is bytes
    assert json.loads(door.JSONResponse(rich()).body)["set"] == [3]
    with pytest.raises(ValueError, match="Out of range"):
        door.JSONResponse([float("nan")])


def test_own_response_class_in_starlette():
    async def endpoint(request: Any) -> Any:
        return door.JSONResponse({"model": Model(), "color": Color.RED})

    app = applications.Starlette(routes=[starlette_routing.Route("/", endpoint)])
    plain = asyncio.run(request(app, "GET", "/"))
    assert json.loads(plain[1]["body"])["color"] == "réd"
    door.install(app)
    assert asyncio.run(request(app, "GET", "/")) == plain
    door.install()
    assert asyncio.run(request(app, "GET", "/")) == plain


def test_own_response_class_in_fastapi(monkeypatch):
    app = fastapi.FastAPI(default_response_class=door.JSONResponse)
    add_routes(app)
    before = asyncio.run(request(app, "GET", "/plain"))
    counts = counted(monkeypatch)
    door.install(app)
    assert asyncio.run(request(app, "GET", "/plain")) == before
    assert counts == {"encode": 1, "jsonable_encoder": 0}


@pytest.mark.parametrize("wrong", [5, "app", fastapi.APIRouter(), lambda: None])
def test_install_takes_apps_only(wrong):
    before = bindings()
    with pytest.raises(TypeError, match="takes the FastAPI app, not"):
        door.install(wrong)
    assert bindings() == before


def test_unknown_version_warns(monkeypatch):
    before = bindings()
    app = make_app()
    for part in _versions.KNOWN:
        monkeypatch.setattr(_install, "KNOWN", {**_versions.KNOWN, part: ("0" * 16,)})
        for arguments in ((), (app,)):
            with pytest.warns(RuntimeWarning, match=f"does not know {part[0]}.{part[1]}.*newer"):
                assert door.install(*arguments) is False
    assert bindings() == before
    assert "build_middleware_stack" not in vars(app)


def test_replaced_encoder_warns(monkeypatch):
    monkeypatch.setattr(routing, "jsonable_encoder", lambda obj: obj)
    with pytest.warns(RuntimeWarning, match="routing.jsonable_encoder has been replaced"):
        assert door.install() is False


def test_missing_source_warns(monkeypatch):
    def fail(module: Any) -> str:
        raise OSError("could not get source code")

    monkeypatch.setattr(_install.inspect, "getsource", fail)
    with pytest.warns(RuntimeWarning, match="no source of fastapi.encoders"):
        assert door.install() is False


def test_known_version_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert door.install() is True


def test_digest_is_of_one_definition():
    source = "async def first(\n    a,\n) -> int:\n    return 1\n\n\n# Note\ndef second():\n    x\n"
    changed = source.replace("x", "y")
    assert _versions.digest(source, "first") == _versions.digest(changed, "first")
    assert _versions.digest(source, "second") != _versions.digest(changed, "second")
    assert _versions.digest(source, "third") is None
