"""What `linecaster.fastapi` makes of an object, held against what is expected."""

import json

from frameworks import need, outcome

encoders = need("fastapi.encoders")

from linecaster.fastapi import encode, jsonable_encoder  # noqa: E402


def shown(value):
    """The value with all its types, and in its order."""
    if type(value) is dict:
        return dict, [(shown(key), shown(item)) for key, item in value.items()]
    if type(value) is list:
        return list, [shown(item) for item in value]
    return type(value), repr(value)


def rendered(tree):
    text = json.dumps(tree, ensure_ascii=False, allow_nan=False, indent=None, separators=(",", ":"))
    return text.encode("utf-8")


def check(expected, obj, **options):
    """Both functions, for an object and in containers."""
    assert shown(jsonable_encoder(obj, **options)) == shown(expected)
    assert encode(obj, **options) == rendered(expected)
    if not options.keys() & {"include", "exclude"}:
        assert shown(jsonable_encoder({"a": [obj]}, **options)) == shown({"a": [expected]})
        assert encode([{"a": obj}, obj], **options) == rendered([{"a": expected}, expected])


def same(obj, **options):
    """Without extras, all is FastAPI's."""
    expected = outcome(encoders.jsonable_encoder, obj, **options)
    assert outcome(jsonable_encoder, obj, **options) == expected
    if type(expected) is tuple and issubclass(expected[0], Exception):
        assert outcome(encode, obj, **options) == expected
    else:
        assert encode(obj, **options) == rendered(expected)
