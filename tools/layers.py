"""The layer check: dependencies point downwards only.

    hosts/*                      leaves: nothing depends on a host
    jsonnet  columnar  http      crates/
    formats  decode              crates/
    kernel  heap                 crates/: depend on no crate of the workspace

A crate may depend on crates of lower layers, never on its own layer or a
higher one, in no kind of dependency (normal, build, dev). Manifests are read
through `cargo metadata`; the sources are searched for files of another crate
that come in by `#[path]` or `include!`, which no manifest would show. Crates in
`bench/` and `fuzz/` may use all and be used by none.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Optional

ROOT = Path(__file__).resolve().parent.parent

LAYERS = (("kernel", "heap"), ("formats", "decode"), ("jsonnet", "columnar", "http"))
HOST = len(LAYERS)
OUTSIDE = HOST + 1

FILE_FROM_ELSEWHERE = re.compile(r'(?:#\[path\s*=|include(?:_str|_bytes)?!\s*\()\s*"([^"]+)"')


def layer(folder: Path) -> Optional[int]:
    """Return the layer of the crate in this folder, given relative to the root."""
    parts = folder.parts
    if parts[:1] == ("hosts",):
        return HOST
    if parts[:1] in (("bench",), ("fuzz",)):
        return OUTSIDE
    if len(parts) == 2 and parts[0] == "crates":
        for height, names in enumerate(LAYERS):
            if parts[1] in names:
                return height
    return None


def crates(metadata: dict) -> Dict[str, Path]:
    """Return each crate of the workspace and its folder relative to the root."""
    root = Path(metadata["workspace_root"])
    return {
        package["name"]: Path(package["manifest_path"]).parent.relative_to(root)
        for package in metadata["packages"]
    }


def check_manifests(metadata: dict) -> List[str]:
    """Return a line for each dependency that does not point downwards."""
    folders = crates(metadata)
    faults = []
    for package in metadata["packages"]:
        source = folders[package["name"]]
        height = layer(source)
        if height is None:
            faults.append(f"{source}: has no layer; give it one in tools/layers.py")
            continue
        for dependency in package["dependencies"]:
            target = folders.get(dependency["name"])
            if target is None or target == source:
                continue
            below = layer(target)
            if below is not None and below >= height and not height == OUTSIDE > below:
                kind = dependency["kind"] or "normal"
                faults.append(f"{source} -> {target}: points upwards or sideways ({kind})")
    return faults


def check_sources(root: Path, folders: Dict[str, Path]) -> List[str]:
    """Return a line for each source that pulls in a file of another crate."""
    faults = []
    for folder in folders.values():
        if layer(folder) == OUTSIDE:
            continue
        inside = str((root / folder).resolve()) + os.sep
        for file in sorted((root / folder).rglob("*.rs")):
            for named in FILE_FROM_ELSEWHERE.findall(file.read_text(encoding="utf-8")):
                path = (file.parent / named).resolve()
                if path.suffix == ".rs" and not str(path).startswith(inside):
                    faults.append(f"{file.relative_to(root)}: takes {named} from outside its crate")
    return faults


def read_metadata(root: Path) -> dict:
    """Ask Cargo for the workspace's own crates."""
    command = ["cargo", "metadata", "--no-deps", "--offline", "--format-version", "1"]
    return json.loads(subprocess.check_output(command, cwd=str(root)).decode())


def check(root: Path) -> List[str]:
    """Return every fault of the workspace at `root`."""
    metadata = read_metadata(root)
    return check_manifests(metadata) + check_sources(root, crates(metadata))


def main() -> int:
    """Print the faults of this repository; fail if there is one."""
    faults = check(ROOT)
    for fault in faults:
        print(f"layers: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
