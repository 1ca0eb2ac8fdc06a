"""A small process that starts the measured ones and says what the kernel counted.

A process inherits the highest resident size of the one that started it, so that
one must be small: this file imports next to nothing. Each line of the input is
a command: seconds it may take, the folder, the file for its output, the words,
with NUL between them. The answer: status, nanoseconds of CPU time, bytes of
resident memory, nanoseconds of wall time.
"""

import os
import signal
import sys
import time


def start(folder: str, output: str, words: "list[str]") -> int:
    """Start a command; return its process."""
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            os.execvp(words[0], words)
        finally:
            os._exit(127)
    return child


def main() -> None:
    """Run every command."""
    for line in sys.stdin:
        seconds, folder, output, *words = line.rstrip("\n").split("\0")
        began = time.perf_counter_ns()
        child = start(folder, output, words)
        signal.signal(signal.SIGALRM, lambda *_, child=child: os.kill(child, signal.SIGKILL))
        signal.alarm(int(seconds))
        _, status, usage = os.wait4(child, 0)
        signal.alarm(0)
        wall = time.perf_counter_ns() - began
        cpu = round((usage.ru_utime + usage.ru_stime) * 1e9)
        code = os.waitstatus_to_exitcode(status)
        print(code, cpu, usage.ru_maxrss * 1024, wall, flush=True)


if __name__ == "__main__":
    main()
