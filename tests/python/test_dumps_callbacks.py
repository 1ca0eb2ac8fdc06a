"""Code of the user that runs in the middle of a walk, and changes what is walked."""

import dataclasses
import enum
import gc

import linecaster
import pytest
from trees import plain


class Odd:
    pass


def test_default_that_grows_the_list():
    value = [Odd(), 1]

    def default(odd):
        value.extend(range(1000))
        return "x"

    assert linecaster.dumps(value, default=default) == plain(["x", 1, *range(1000)])


@pytest.mark.parametrize("change", [list.clear, lambda v: v.__delitem__(slice(1, None))])
def test_default_that_shrinks_the_list(change):
    for length in (2, 50, 5000):
        value = [Odd(), *([["é"]] * length)]

        def default(odd, value=value):
            change(value)
            return ["y"]

        assert linecaster.dumps([value, 1], default=default) == '[[["y"]],1]'


def test_default_that_replaces_items():
    value = [Odd(), "old", {"old": 1}]

    def default(odd):
        value[1:] = [["new"], "é", "€", "😀"]
        gc.collect()
        return 0

    assert linecaster.dumps(value, default=default) == '[0,["new"],"é","€","😀"]'


def test_default_that_empties_every_container_on_the_way():
    inner: list = [Odd(), "x" * 100]
    middle = {"k": inner, "l": 1}
    outer = [middle, "y" * 100]

    def default(odd):
        outer.clear()
        inner.clear()
        gc.collect()
        return ["z"]

    assert linecaster.dumps(outer, default=default) == '[{"k":[["z"]],"l":1}]'


CHANGES = {
    "grow": lambda d: d.update({f"new{i}": i for i in range(100)}),
    "grow by one": lambda d: d.update(extra=1),
    "shrink": lambda d: d.pop("b"),
    "delete the key": lambda d: d.pop("a"),
    "clear": lambda d: d.clear(),
}


@pytest.mark.parametrize("how", CHANGES)
@pytest.mark.parametrize("cls", [dict, type("D", (dict,), {})])
def test_default_that_changes_the_size_of_the_dict(how, cls):
    for answer in ("x", ["x"], {"k": "€"}):
        value = cls({"a": Odd(), "b": ["é" * 10], "c": {"d": 1}})

        def default(odd, value=value, answer=answer):
            CHANGES[how](value)
            gc.collect()
            return answer

        with pytest.raises(RuntimeError, match="changed size during iteration"):
            linecaster.dumps([value], default=default)


def test_default_that_replaces_a_member():
    value = {"a": Odd(), "b": "old" * 20}

    def default(odd):
        value["b"] = ["new"]
        return 1

    assert linecaster.dumps(value, default=default) == '{"a":1,"b":["new"]}'


def test_default_that_takes_a_member_and_puts_another():
    """The size stays: what comes is not specified, but it ends, and is JSON."""
    for size in (1, 3, 5, 6, 30, 1000):
        value = {f"k{i}": Odd() for i in range(size)}
        turns = iter(range(10**6))

        def default(odd, value=value, turns=turns):
            value.pop(next(iter(value)))
            value[f"new{next(turns)}"] = Odd()
            return 0

        try:
            linecaster.loads(linecaster.dumps(value, default=default))
        except RuntimeError as error:
            assert "during iteration" in str(error)  # noqa: PT017


def test_default_that_swaps_members_and_drops_the_last_reference():
    """A key under way goes away; what its end does must not hurt the walk."""

    class Key(str):
        def __del__(self):
            value.clear()
            gc.collect()

    for kind in (lambda i: f"key{i}" * 20, lambda i: i + 10**6):
        value = {Key("first"): Odd()}
        value.update({kind(i): ["item" * 5, i, 1 << 70] for i in range(5)})

        def default(odd, value=value):
            del value[next(iter(value))]
            value["x" * 50] = "y" * 50
            return "z"

        with pytest.raises(RuntimeError, match="changed size"):
            linecaster.dumps(value, default=default, non_str_keys=True)


@pytest.mark.parametrize("sort_keys", [False, True])
def test_mapping_that_changes_while_it_is_walked(sort_keys):
    class Own(dict):
        def items(self):
            return [(f"k{i}", Odd()) for i in range(3)]

    value = Own(a=1)

    def default(odd):
        value.clear()
        gc.collect()
        return "x"

    made = linecaster.dumps(value, default=default, sort_keys=sort_keys)
    assert made == '{"k0":"x","k1":"x","k2":"x"}'


def test_sorted_members_are_those_of_the_start():
    value = {"b": Odd(), "a": Odd(), "c": [1]}

    def default(odd):
        value.clear()
        gc.collect()
        return []

    assert linecaster.dumps(value, default=default, sort_keys=True) == '{"a":[],"b":[],"c":[1]}'


def test_items_that_go_while_they_are_written():
    """What an iterator gives has no other owner."""

    def generate():
        for i in range(50):
            yield [f"{i}" * 50, {"k": (x for x in [Odd()])}]

    made = linecaster.loads(linecaster.dumps(generate(), iterables=True, default=lambda o: ["o"]))
    assert made == [[f"{i}" * 50, {"k": [["o"]]}] for i in range(50)]


def test_attributes_that_change_the_object():
    @dataclasses.dataclass
    class Record:
        a: object
        b: object = 2

        def __getattribute__(self, name):
            if name == "a":
                object.__setattr__(self, "b", ["é" * 30])
                gc.collect()
            return object.__getattribute__(self, name)

    assert linecaster.dumps(Record(1)) == plain({"a": 1, "b": ["é" * 30]})


def test_attributes_that_change_the_class():
    @dataclasses.dataclass
    class Record:
        a: int
        b: int

        def __getattribute__(self, name):
            if name == "a":
                Record.__dataclass_fields__ = {}
                linecaster.dumps(Record.__new__(Record))
                gc.collect()
            return object.__getattribute__(self, name)

    assert linecaster.dumps(Record(1, 2)) == '{"a":1,"b":2}'


def test_class_that_is_looked_at_runs_code():
    class Meta(type):
        def __getattr__(cls, name):
            gc.collect()
            linecaster.dumps([enum.Enum("E", "A").A, {1}], iterables=True)
            raise AttributeError(name)

    class Own(metaclass=Meta):
        pass

    assert linecaster.dumps([Own()], default=lambda own: 1) == "[1]"


def test_class_whose_attributes_raise():
    class Meta(type):
        def __getattr__(cls, name):
            raise ZeroDivisionError

    class Own(metaclass=Meta):
        pass

    with pytest.raises(ZeroDivisionError):
        linecaster.dumps([Own()], default=lambda own: 1)


def test_calls_within_calls():
    def default(odd):
        text = linecaster.dumps({"é": [odd.level] * 50}, indent=1)
        if odd.level < 30:
            inner = Odd()
            inner.level = odd.level + 1
            data = linecaster.encode([inner, "€"], default=default)
            return [linecaster.loads(text), linecaster.loads(data)]
        return linecaster.loads(text)

    outer = Odd()
    outer.level = 0
    expected: object = {"é": [30] * 50}
    for level in reversed(range(30)):
        expected = [{"é": [level] * 50}, [expected, "€"]]
    assert linecaster.dumps(outer, default=default, max_depth=5000) == plain(expected)


def test_hooks_that_encode():
    seen = []

    def hook(found):
        seen.append(linecaster.dumps(found, sort_keys=True))
        return found

    text = linecaster.dumps({"b": {"é": 1}, "a": [{"€": "😀"}]})
    linecaster.loads(text, object_hook=hook)
    assert seen == ['{"é":1}', '{"€":"😀"}', '{"a":[{"€":"😀"}],"b":{"é":1}}']


def test_default_is_asked_once_per_value_and_in_order():
    asked = []

    def default(value):
        asked.append(value)
        return f"{'é' * len(asked)}"

    values = [1j, 2j, 3j]
    assert linecaster.dumps({"a": values, "b": 4j}, default=default) == (
        '{"a":["é","éé","ééé"],"b":"éééé"}'
    )
    assert asked == [1j, 2j, 3j, 4j]


def test_long_strings_from_default():
    for text in ("x" * 100_000, "é" * 100_000, "€" * 100_000, "😀" * 100_000):
        value = [Odd(), text, Odd()]
        assert linecaster.dumps(value, default=lambda odd, text=text: text) == plain([text] * 3)


def test_unhashable_and_uncomparable_values():
    class Weird:
        __hash__ = None

        def __eq__(self, other):
            raise ZeroDivisionError

        def __bool__(self):
            raise ZeroDivisionError

    assert linecaster.dumps([Weird()], default=lambda weird: 1) == "[1]"
