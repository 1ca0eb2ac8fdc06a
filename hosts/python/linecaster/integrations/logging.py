"""A formatter for `logging` that writes each record as one line of JSON.

    import logging
    from linecaster.integrations.logging import JSONFormatter

    handler = logging.StreamHandler()
    handler.setFormatter(JSONFormatter(static={"service": "shop"}))
    logging.basicConfig(handlers=[handler], level=logging.INFO)

    logging.info("sold %d", 3, extra={"item": "tea"})
    # {"time":"2026-01-31T12:00:00.123456Z","level":"INFO","logger":"root",
    #  "message":"sold 3","item":"tea","service":"shop"}

No record makes `format` raise: a value without a JSON form is written as its
`repr`, and a message whose arguments do not fit is written as it is.
"""

from __future__ import annotations

import datetime as dt
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

import linecaster

__all__ = ["JSONFormatter"]

FIELDS: Mapping[str, str] = {
    "time": "time",
    "level": "levelname",
    "logger": "name",
    "message": "message",
}
TIME_FORMATS = ("rfc3339", "local", "epoch", "epoch_ms")

# What a record has of its own: everything else came by `extra`.
_OF_RECORD = frozenset(
    vars(logging.LogRecord("", 0, "", 0, "", None, None))
    | dict.fromkeys(("message", "asctime", "taskName"))
)


class JSONFormatter(logging.Formatter):
    """A formatter whose lines are JSON objects.

    The members are, in this order: `fields`, `extra`, the traceback, the stack,
    `static`.
    """

    def __init__(
        self,
        fields: Mapping[str, str] | None = None,
        *,
        static: Mapping[str, Any] | None = None,
        extra: bool | str = True,
        time_format: str = "rfc3339",
        exc_info: str | None = "exc_info",
        stack_info: str | None = "stack_info",
        default: Callable[[Any], Any] | None = None,
        ensure_ascii: bool = False,
        sort_keys: bool = False,
        indent: int | str | None = None,
    ) -> None:
        """Work out the shape of the lines.

        fields: name in the line to attribute of the record; besides those of
            `logging.LogRecord`, `message` and `time`.
        static: members of every line.
        extra: whether what was given as `extra` is written; with a name, as an
            object under this name. One that would hide a field gets `extra_`
            before its name.
        time_format: `rfc3339` in UTC, `local` the same with the offset of the
            local time, `epoch` seconds, `epoch_ms` whole milliseconds; one with
            a `%` is for `time.strftime`, in local time.
        exc_info, stack_info: under which names tracebacks and stacks are
            written, as `logging` formats them; None leaves them out.
        default, ensure_ascii, sort_keys, indent: as in `linecaster.dumps`.
        """
        super().__init__()
        if time_format not in TIME_FORMATS and "%" not in time_format:
            raise ValueError(f"time_format must be one of {TIME_FORMATS} or hold a %")
        self._fields = dict(FIELDS if fields is None else fields)
        self._static = dict(static or {})
        self._extra = extra
        self._time_format = time_format
        self._exc_info = exc_info
        self._stack_info = stack_info
        self._default = default
        options: dict[str, Any] = {
            "default": self._spell,
            "sort_keys": sort_keys,
            "indent": indent,
            "allow_nan": "null",
            "non_str_keys": True,
            "skip_keys": True,
            "utc_z": True,
        }
        self._encoder = linecaster.Encoder(
            ensure_ascii=ensure_ascii, surrogates="strict", **options
        )
        # Spells lone surrogates, too.
        self._escaping = linecaster.Encoder(ensure_ascii=True, **options)

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        members = self._members(record)
        try:
            return self._dumps(members)
        except Exception:
            # Something cannot be written: find out which members, and write
            # their `repr`.
            return self._dumps({key: self._writable(value) for key, value in members.items()})

    def _dumps(self, value: Any) -> str:
        try:
            return self._encoder.dumps(value)
        except linecaster.EncodeError:
            return self._escaping.dumps(value)

    def _members(self, record: logging.LogRecord) -> dict[str, Any]:
        members = {name: self._field(record, source) for name, source in self._fields.items()}
        if self._extra is not False:
            self._add_extra(members, record)
        if self._exc_info is not None and (record.exc_info or record.exc_text):
            members[self._exc_info] = self._traceback(record)
        if self._stack_info is not None and record.stack_info:
            members[self._stack_info] = self.formatStack(record.stack_info)
        members.update(self._static)
        return members

    def _field(self, record: logging.LogRecord, source: str) -> Any:
        if source == "message":
            return self._message(record)
        if source in ("time", "asctime"):
            return self._time(record.created)
        return getattr(record, source, None)

    def _message(self, record: logging.LogRecord) -> Any:
        if isinstance(record.msg, Mapping) and not record.args:
            return record.msg
        try:
            return record.getMessage()
        except Exception:
            # Arguments that do not fit: `logging` would drop the record.
            return [record.msg, record.args]

    def _time(self, created: float) -> Any:
        if self._time_format == "epoch":
            return created
        if self._time_format == "epoch_ms":
            return int(created * 1000)
        if "%" in self._time_format:
            return time.strftime(self._time_format, time.localtime(created))
        moment = dt.datetime.fromtimestamp(created, dt.timezone.utc)
        return moment if self._time_format == "rfc3339" else moment.astimezone()

    def _traceback(self, record: logging.LogRecord) -> str | None:
        # Other formatters of the same record use the text, too.
        if record.exc_info and not record.exc_text:
            record.exc_text = self.formatException(record.exc_info)
        return record.exc_text

    def _add_extra(self, members: dict[str, Any], record: logging.LogRecord) -> None:
        extra = {key: value for key, value in vars(record).items() if key not in _OF_RECORD}
        if isinstance(self._extra, str):
            if extra:
                members[self._extra] = extra
            return
        taken = members.keys() | self._static.keys()
        for key, value in extra.items():
            members["extra_" + key if key in taken else key] = value

    def _spell(self, value: Any) -> Any:
        if self._default is not None:
            try:
                return self._default(value)
            except TypeError:
                pass
        if isinstance(value, (set, frozenset)):
            return list(value)
        if isinstance(value, (bytes, bytearray)):
            return value.decode("utf-8", "backslashreplace")
        return repr(value)

    def _writable(self, value: Any) -> Any:
        try:
            self._dumps(value)
        except Exception:
            return _safe_repr(value)
        return value


def _safe_repr(value: Any) -> str:
    try:
        return repr(value)
    except Exception:
        return object.__repr__(value)
