"""`make demo`: all the set-up, then the main job on real documents.

`DATA=folder` gives the JSON files; without it the project's own generator makes
them. The job itself is bench/demo.py.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import List

import environments
import interpreters
import prerequisites
from environments import BUILD, ROOT, StepError


def documents(python: str) -> List[str]:
    """Return the files to work on: those in DATA, else generated ones."""
    data = os.environ.get("DATA")
    if data:
        folder = Path(data).expanduser()
        if not folder.is_dir():
            raise StepError(f"DATA={data} is not a folder")
        files = sorted(str(path.resolve()) for path in folder.glob("*.json"))
        if not files:
            raise StepError(f"DATA={data} has no *.json files")
        return files
    folder = BUILD / "documents"
    environments.run([python, "-m", "bench.documents", str(folder)])
    return sorted(str(path) for path in folder.glob("*.json"))


def main() -> int:
    """Set up the main interpreter's environment and run the demo in it."""
    prerequisites.require("demo")
    interpreter = interpreters.find_main()
    if interpreter is None:
        return interpreters.main()
    try:
        environment = environments.prepare(interpreter)
        files = documents(environment.python)
    except StepError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    sys.stdout.flush()
    os.chdir(str(ROOT))
    command = [environment.python, "-B", "-m", "bench.demo", *files]
    os.execv(environment.python, command)


if __name__ == "__main__":
    sys.exit(main())
