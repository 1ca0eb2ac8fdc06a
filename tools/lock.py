"""Renew the lock files: every `*.in` becomes a `*.txt` with versions and hashes.

One lock serves all supported Pythons and platforms; where a package has left an
old Python behind, the lock holds two versions with environment markers.
"""

from __future__ import annotations

import sys

import environments
import interpreters
from environments import REQUIREMENTS

RESOLVER = "uv==0.13.9"


def main() -> int:
    """Resolve each purpose for the oldest supported Python and all newer ones."""
    interpreter = interpreters.find_main()
    if interpreter is None:
        return interpreters.main()
    environment = environments.Environment(interpreter)
    environment.create()
    environments.run([environment.python, "-m", "pip", "install", "--quiet", RESOLVER])
    oldest = "%d.%d" % interpreters.OLDEST
    resolve = [environment.program("uv"), "pip", "compile", "--quiet", "--universal"]
    resolve += ["--python-version", oldest, "--generate-hashes", "--upgrade"]
    resolve += ["--custom-compile-command", "make lock"]
    for source in sorted(REQUIREMENTS.glob("*.in")):
        environments.run(
            [*resolve, source.name, "--output-file", source.stem + ".txt"], cwd=str(REQUIREMENTS)
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
