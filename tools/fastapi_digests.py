"""Print the table of `linecaster.fastapi._versions` from wheels of FastAPI and Starlette.

    python tools/fastapi_digests.py FOLDER

FOLDER holds wheels, as `pip download --no-deps fastapi==0.165.0 starlette` puts
them there. Read the differences between versions (`diff` of the definitions)
before a new digest is entered: it says that rebinding is right for that source.
"""

from __future__ import annotations

import re
import runpy
import sys
import zipfile
from pathlib import Path
from typing import Dict, List, Tuple

from environments import ROOT

VERSIONS = ROOT / "hosts" / "python" / "linecaster" / "fastapi" / "_versions.py"
PARTS = (
    ("fastapi.encoders", "jsonable_encoder"),
    ("fastapi.routing", "serialize_response"),
    ("fastapi.routing", "get_request_handler"),
    ("starlette.responses", "JSONResponse"),
)


def main(folder: str) -> int:
    """Print each part's digests with the first and the last version that has them."""
    digest = runpy.run_path(str(VERSIONS))["digest"]
    wheels = sorted(Path(folder).glob("*.whl"), key=version)
    for module, name in PARTS:
        seen: Dict[str, List[str]] = {}
        package, file = module.split(".")
        for wheel in wheels:
            if wheel.name.startswith(package + "-"):
                with zipfile.ZipFile(wheel) as archive:
                    source = archive.read(f"{package}/{file}.py").decode()
                number = ".".join(str(part) for part in version(wheel))
                seen.setdefault(str(digest(source, name)), []).append(number)
        print(f'    ("{module}", "{name}"): (')
        for value, versions in seen.items():
            print(f'        "{value}",  # {versions[0]} to {versions[-1]}')
        print("    ),")
    return 0


def version(wheel: Path) -> Tuple[int, ...]:
    """Return the version that a wheel's name holds."""
    found = re.match(r"[a-z]+-([\d.]+)-", wheel.name)
    return tuple(int(part) for part in found[1].split(".")) if found else ()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
