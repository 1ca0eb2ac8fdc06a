"""`linecaster.integrations.redis` in the caches that take a serializer."""

import datetime as dt
import json
import uuid

import linecaster
import pytest
from frameworks import need
from hypothesis import given
from hypothesis import strategies as st
from linecaster.integrations.redis import JSONSerializer
from trees import Source, plain, tree_of

fakeredis = need("fakeredis")
backends = need("django.core.cache.backends.redis")


@pytest.fixture
def server():
    return fakeredis.FakeServer()


def test_dumps_and_loads():
    serializer = JSONSerializer()
    assert serializer.dumps({"é": [1, dt.date(2026, 1, 2)], 5: uuid.UUID(int=1)}) == (
        '{"é":[1,"2026-01-02"],"5":"00000000-0000-0000-0000-000000000001"}'.encode()
    )
    for data in (
        '["é"]',
        '["é"]'.encode(),
        bytearray(b'["\xc3\xa9"]'),
        memoryview(b'["\xc3\xa9"]'),
    ):
        assert serializer.loads(data) == ["é"]
    with pytest.raises(linecaster.EncodeError):
        serializer.dumps({1})
    with pytest.raises(json.JSONDecodeError):
        serializer.loads(b"[")
    assert JSONSerializer(default=sorted).dumps({2, 1}) == b"[1,2]"
    assert JSONSerializer({"SERIALIZER": "from a cache"}).dumps(1) == b"1"


@given(st.binary(max_size=400))
def test_documents(data):
    value = tree_of(Source(data), surrogates=False)
    written = JSONSerializer().dumps(value)
    assert written == plain(value).encode()
    assert JSONSerializer().loads(written) == json.loads(written)


def test_with_redis_alone(server):
    serializer = JSONSerializer()
    client = fakeredis.FakeRedis(server=server)
    client.set("k", serializer.dumps({"é": 1}))
    assert client.get("k") == '{"é":1}'.encode()
    assert serializer.loads(client.get("k")) == {"é": 1}
    client.close()


@pytest.mark.parametrize(
    "serializer",
    [JSONSerializer, JSONSerializer(), "linecaster.integrations.redis.JSONSerializer"],
    ids=["class", "object", "path"],
)
def test_cache_of_django(server, serializer):
    django_conf = need("django.conf")
    if not django_conf.settings.configured:
        django_conf.settings.configure()
    parameters = {
        "TIMEOUT": 60,
        "OPTIONS": {
            "serializer": serializer,
            "connection_class": fakeredis.FakeRedisConnection,
            "server": server,
        },
    }
    cache = backends.RedisCache("redis://localhost", parameters)
    cache.set("k", {"é": [1, None, 2.5]})
    assert cache.get("k") == {"é": [1, None, 2.5]}
    cache.set("n", 1)
    assert cache.incr("n", 5) == 6
    assert cache.get("n") == 6
    cache.set_many({"a": [], "b": "x"})
    assert cache.get_many(["a", "b", "absent"]) == {"a": [], "b": "x"}
    client = fakeredis.FakeRedis(server=server)
    assert client.get(cache.make_and_validate_key("k")) == '{"é":[1,null,2.5]}'.encode()
    client.close()
    cache._cache.get_client(None).connection_pool.disconnect()
