"""The command line: `python -m linecaster jsonnet`, `python -m linecaster_jsonnet`."""

from __future__ import annotations

import signal
import sys
import threading

from linecaster_jsonnet._linecaster_jsonnet import command


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    if threading.current_thread() is threading.main_thread():
        # The evaluation holds no lock and asks nobody: the key ends the process.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    return command(sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
