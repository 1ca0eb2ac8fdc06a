"""Records how the reference implementation formats programs.

    python tests/jsonnet/record_fmt.py path/to/jsonnetfmt

writes `crates/jsonnet/tests/fmt/recorded.txt`: options, program and result. The
programs are those of `fmt_programs.txt`, alone and put into one another, with
comments and blanks put between tokens.
"""

import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent
RECORDED = FOLDER.parents[1] / "crates/jsonnet/tests/fmt/recorded.txt"
TOKEN = re.compile(
    r"\|\|\|.*?\|\|\||//[^\n]*|#[^\n]*|/\*.*?\*/|@?'[^']*'|@?\"[^\"]*\""
    r"|[A-Za-z_0-9.]+|\s+|[-!:~+&|^=<>*%/$]+|[^\w\s]",
    re.DOTALL,
)
FODDER = [
    *(" ", "\n", "\n\n", "\n\n\n\n", "  ", "\t", "\r\n"),
    *(" // c\n", " # d\n", " /* e */ ", "/*i*/\n", "\n  // p\n", "\n\n # q\n\n"),
    *("\n/* f\n   g\n h */\n", " # r\n  # s\n"),
]
FRAMES = [
    "{ a: (%s), b: %s }",
    "[%s, (%s)]",
    "local x = %s; local y = (%s), z = 1; y",
    "f((%s), %s, k=1)",
    "{\n  a: {\n    b: [\n%s,\n],\n  c: %s } }",
    "local x = import 'b'; local y = import 'a';\n%s + (%s)",
]
OPTIONS = [
    "--indent 4",
    "--indent 0",
    "--max-blank-lines 1",
    "--max-blank-lines 0",
    "--string-style d",
    "--string-style l",
    "--comment-style h",
    "--comment-style l",
    "--no-pretty-field-names",
    "--pad-arrays",
    "--no-pad-objects",
    "--no-sort-imports",
    "--no-use-implicit-plus",
]
PROGRAM_END = "\n=====\n"
PART_END = "\n-----\n"


def with_fodder(program: str, rng: random.Random) -> str:
    """The program with comments and blanks at some places."""
    rate = rng.choice([0.05, 0.15, 0.4])
    parts: list[str] = []
    for token in TOKEN.findall(program):
        if rng.random() < rate:
            parts.append(rng.choice(FODDER))
        parts.append(token)
    return "".join(parts)


def formatted(formatter: str, options: str, program: str) -> str | None:
    """The result, if it is a program."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "p").write_bytes(program.encode())
        command = [formatter, *options.split(), "p"]
        run = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return run.stdout.decode() if run.returncode == 0 else None


def main() -> None:
    written = (FOLDER / "fmt_programs.txt").read_bytes().decode().split(PROGRAM_END)
    rng = random.Random(21)
    cases = [(program, "") for program in written]
    cases += [(program, options) for options in OPTIONS for program in rng.sample(written, 25)]
    for _ in range(600):
        program = rng.choice(written)
        if rng.random() < 0.6:
            program = rng.choice(FRAMES) % (program, rng.choice(written))
        options = rng.choice(["", "", *OPTIONS])
        cases.append((with_fodder(program, rng), options))
    with RECORDED.open("wb") as out:
        for program, options in dict.fromkeys(cases):
            result = formatted(sys.argv[1], options, program)
            if result is not None:
                parts = (options, program, result)
                out.write((PART_END.join(parts) + PROGRAM_END).encode())


if __name__ == "__main__":
    main()
