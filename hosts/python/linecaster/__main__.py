"""The command line: `python -m linecaster`.

Three commands of its own, all in bounded memory: `lines` reads JSON by the line and writes
it again, checked and respelled; `items` takes the values at a path out of a
document; `format` lays a document out anew. `jsonnet` is the distribution
`linecaster-jsonnet`, if it is installed.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, BinaryIO

import linecaster

PACE = 0.1
"""Seconds between two showings of the progress."""


class Progress:
    """How much is done, on one line of a terminal, or nothing elsewhere."""

    def __init__(self, size: int | None, position: Callable[[], int], *, shown: bool) -> None:
        self.size = size
        self.position = position
        self.shown = shown
        self.began = time.monotonic()
        self.due = self.began + PACE
        self.values = 0

    def count(self, values: Iterable[Any]) -> Iterator[Any]:
        """Pass the values on and count them."""
        for value in values:
            yield value
            self.values += 1
            if self.shown and not self.values % 64 and time.monotonic() >= self.due:
                self.show()

    def show(self) -> None:
        """Draw the line."""
        now = time.monotonic()
        self.due = now + PACE
        done = self.position()
        text = f"{self.values:,} values  {done / 1e6:,.1f} MB  "
        text += f"{done / 1e6 / max(now - self.began, 1e-9):,.0f} MB/s"
        if self.size:
            share = min(done / self.size, 1.0)
            bar = "#" * int(share * 30)
            text = f"[{bar:<30}] {share:4.0%}  {text}"
        sys.stderr.write(f"\r{text}\x1b[K")
        sys.stderr.flush()

    def end(self) -> None:
        """Leave the last state behind."""
        if self.shown:
            self.show()
            sys.stderr.write("\n")


class Counted:
    """Counts what is read: a pipe has no position."""

    def __init__(self, source: BinaryIO) -> None:
        self.read_some: Callable[[int], bytes] = getattr(source, "read1", source.read)
        self.done = 0

    def read(self, size: int) -> bytes:
        """Read what there is, at least something."""
        data = self.read_some(size)
        self.done += len(data)
        return data


@contextlib.contextmanager
def reading(path: str) -> Iterator[tuple[Any, int | None, Callable[[], int]]]:
    """Open the input; give the file, its size and how much of it was read."""
    if path == "-":
        counted = Counted(sys.stdin.buffer)
        yield counted, None, lambda: counted.done
        return
    with open(path, "rb") as raw:
        size = os.fstat(raw.fileno()).st_size or None
        if raw.peek(2)[:2] == b"\x1f\x8b":
            with gzip.open(raw) as unpacked:
                yield unpacked, size, raw.tell
        else:
            yield raw, size, raw.tell


@contextlib.contextmanager
def writing(path: str) -> Iterator[IO[bytes]]:
    """Open the output."""
    if path == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    elif path.endswith(".gz"):
        with gzip.open(path, "wb") as packed:
            yield packed  # type: ignore[misc]
    else:
        with open(path, "wb") as file:
            yield file


class Bad:
    """Lines that are not JSON: told, and counted."""

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self.count = 0

    def note(self, error: linecaster.DecodeError) -> None:
        """Take one error."""
        self.count += 1
        if not self.quiet:
            sys.stderr.write(f"{error}\n")


def spelling(options: argparse.Namespace) -> dict[str, Any]:
    """Give the options of the encoder that are on the command line."""
    return {
        "ensure_ascii": options.ascii,
        "sort_keys": options.sort_keys,
        "allow_nan": options.allow_nan,
        "surrogates": "pass",
    }


def run(options: argparse.Namespace) -> int:
    """Read, pass on, write."""
    shown = not options.quiet and sys.stderr.isatty() and options.output != "-"
    bad = Bad(quiet=options.quiet)
    with reading(options.input) as (source, size, position):
        progress = Progress(size, position, shown=shown)
        decoder = linecaster.Decoder(allow_nan=options.allow_nan)
        try:
            if options.command == "lines":
                values = decoder.decode_lines(source, errors=bad.note if options.skip else "raise")
            else:
                values = decoder.iter_items(source, options.path)
            with writing(options.output) as target:
                write(options, progress.count(values), target)
        finally:
            progress.end()
    if bad.count:
        sys.stderr.write(f"{bad.count} lines are not JSON\n")
    return 1 if bad.count else 0


def write(options: argparse.Namespace, values: Iterator[Any], target: IO[bytes]) -> None:
    """Write the values, as a line each or laid out."""
    indent = options.indent
    if indent is None and options.command == "format":
        indent = 2
    if options.array:
        encoder = linecaster.Encoder(iterables=True, indent=indent, **spelling(options))
        encoder.dump(values, target)
        target.write(b"\n")
    elif indent is not None:
        encoder = linecaster.Encoder(indent=indent, **spelling(options))
        for value in values:
            encoder.dump(value, target)
            target.write(b"\n")
    else:
        linecaster.Encoder(**spelling(options)).encode_lines(values, target)


def indentation(text: str) -> int | str:
    """Read an indentation: a number of spaces, or `tab`."""
    if text == "tab":
        return "\t"
    width = int(text)
    if not 0 <= width <= 64:
        raise argparse.ArgumentTypeError("an indent is a number up to 64, or 'tab'")
    return width


def parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    main = argparse.ArgumentParser(prog="linecaster", description="JSON of any size.")
    main.add_argument("--version", action="version", version=linecaster.__version__)
    commands = main.add_subparsers(dest="command", required=True, metavar="command")
    both = argparse.ArgumentParser(add_help=False)
    both.add_argument("input", nargs="?", default="-", help="a file, perhaps gzipped, or - (stdin)")
    both.add_argument("-o", "--output", default="-", metavar="FILE", help="default: stdout")
    both.add_argument("--indent", type=indentation, metavar="N", help="spaces per level, or 'tab'")
    both.add_argument("--array", action="store_true", help="write all values as one array")
    both.add_argument("--sort-keys", action="store_true", help="members in the order of their keys")
    both.add_argument("--ascii", action="store_true", help="spell what is not ASCII as \\uXXXX")
    both.add_argument("--allow-nan", action="store_true", help="NaN and Infinity are values, too")
    both.add_argument(
        "-q", "--quiet", action="store_true", help="no progress, no list of bad lines"
    )
    lines = commands.add_parser(
        "lines", parents=[both], help="JSON by the line, to lines, an array, or laid out"
    )
    lines.add_argument("--skip", action="store_true", help="leave out lines that are not JSON")
    items = commands.add_parser(
        "items", parents=[both], help="the values at a path of a document, to lines"
    )
    items.add_argument("-p", "--path", default="item", help="such as results.item or $.results[*]")
    commands.add_parser(
        "jsonnet",
        add_help=False,
        help="Jsonnet programs (pip install linecaster[jsonnet])",
    )
    layout = commands.add_parser("format", parents=[both], help="documents, laid out")
    layout.set_defaults(path="")
    return main


def jsonnet(arguments: list[str]) -> int:
    """Run the command of the Jsonnet door; return the exit status."""
    try:
        from linecaster_jsonnet.__main__ import main as run_jsonnet
    except ModuleNotFoundError as error:
        if error.name != "linecaster_jsonnet":
            raise
        sys.stderr.write("linecaster: jsonnet needs pip install 'linecaster[jsonnet]'\n")
        return 1
    return run_jsonnet(arguments)


def main(arguments: list[str] | None = None) -> int:
    """Run a command; return the exit status."""
    if arguments is None:
        arguments = sys.argv[1:]
    if arguments[:1] == ["jsonnet"]:
        return jsonnet(arguments[1:])
    options = parser().parse_args(arguments)
    try:
        return run(options)
    except BrokenPipeError:
        # Whoever read the output has enough; keep the interpreter from
        # flushing into nothing at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (linecaster.DecodeError, OSError, ValueError) as error:
        sys.stderr.write(f"linecaster: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
