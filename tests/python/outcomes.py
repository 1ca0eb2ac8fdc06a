"""What a call gives, for holding a drop-in against the original."""

from collections.abc import Callable
from typing import Any


def outcome(function: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[Any, ...]:
    """Return the result with its type and spelling, or the error with its text and causes."""
    try:
        result = function(*args, **kwargs)
    except Exception as error:
        return raised(error)
    return type(result), repr(result)


def raised(error: BaseException | None) -> tuple[Any, ...]:
    """Return what can be seen of an exception."""
    if error is None:
        return ()
    # Its own module is the one thing in which a drop-in's class differs.
    bases = [base.__name__ for base in type(error).__mro__]
    return bases, str(error), raised(error.__cause__)
