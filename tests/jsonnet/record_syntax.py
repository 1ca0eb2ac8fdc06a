"""Records what the reference implementation says about programs' syntax.

    python tests/jsonnet/record_syntax.py path/to/jsonnetfmt

writes `crates/jsonnet/tests/syntax/recorded.txt`: programs, each with `ok` or
the error. The programs are those of `syntax_programs.txt` and mutations of
them: tokens dropped, doubled, swapped and put in from other programs.
"""

import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent
RECORDED = FOLDER.parents[1] / "crates/jsonnet/tests/syntax/recorded.txt"
TOKEN = re.compile(
    rb"\|\|\|.*?\|\|\||//[^\n]*|/\*.*?\*/|[A-Za-z_0-9]+|\s+|'[^'\n]*'|\"[^\"\n]*\"|[^\w\s]",
    re.DOTALL,
)
PROGRAM_END = b"\n=====\n"
ANSWER = b"\n-----\n"
# Operators right before a `-`, `+`, `!`, `~`: the specification and the C++
# implementation accept them, the Go implementation does not.
DIFFERENT = re.compile(rb"[-!:~+&|^=<>*%]{2,}|\$[-!:~+&|^=<>*%]")


def mutated(program: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """The program with one to three changes."""
    tokens = TOKEN.findall(program)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        place = rng.randrange(len(tokens) + 1)
        last = min(place, len(tokens) - 1)
        other = TOKEN.findall(rng.choice(others))
        match rng.randrange(6):
            case 0 if tokens:
                del tokens[last]
            case 1 if other:
                tokens.insert(place, rng.choice(other))
            case 2 if tokens and other:
                tokens[last] = rng.choice(other)
            case 3 if tokens:
                second = rng.randrange(len(tokens))
                tokens[last], tokens[second] = tokens[second], tokens[last]
            case 4:
                del tokens[place:]
            case 5:
                start = rng.randrange(len(other) + 1)
                tokens[place:place] = other[start : start + 4]
            case _:
                pass
    return b"".join(tokens)


def answer(formatter: str, program: bytes) -> bytes:
    """`ok`, or the error with the file named `p`."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "p").write_bytes(program)
        run = subprocess.run([formatter, "p"], cwd=folder, capture_output=True, check=False)
    return b"ok" if run.returncode == 0 else run.stderr.rstrip(b"\n")


def main() -> None:
    written = (FOLDER / "syntax_programs.txt").read_bytes().split(PROGRAM_END)
    rng = random.Random(20)
    programs = dict.fromkeys(written)
    for _ in range(1500):
        program = mutated(rng.choice(written), written, rng)
        if not any(run.group()[-1:] in b"-+!~$" for run in DIFFERENT.finditer(program)):
            programs[program] = None
    with RECORDED.open("wb") as out:
        for program in programs:
            out.write(program + ANSWER + answer(sys.argv[1], program) + PROGRAM_END)


if __name__ == "__main__":
    main()
