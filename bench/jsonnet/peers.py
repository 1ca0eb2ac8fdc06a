"""The implementations: where they come from and which version they are.

rsjsonnet and jrsonnet are built by Cargo into build/bench/peers, in the way
that makes them fastest: jrsonnet with mimalloc, both with LTO over all crates.
go-jsonnet's program is the one that tools/go_tools.py builds. Ours is the words
in `LINECASTER_JSONNET`, or `linecaster jsonnet` as Cargo has built it.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from bench.jsonnet.rows import ROOT

BUILT = Path(os.environ.get("LINECASTER_BENCH_PEERS") or ROOT / "build" / "bench" / "peers")
GO = Path(os.environ.get("LINECASTER_GO_TOOLS") or ROOT / "build" / "jsonnet" / "bin")
OURS = "linecaster"
REFERENCE = "go-jsonnet"
CARGO = {
    "jrsonnet": ["jrsonnet", "--version", "0.5.0-pre98", "--features", "mimalloc"],
    "rsjsonnet": ["rsjsonnet", "--version", "0.5.1"],
}
FASTEST = {"CARGO_PROFILE_RELEASE_LTO": "fat", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "1"}


def install() -> None:
    """Build the peers that Cargo can build, unless they are there."""
    for name, words in CARGO.items():
        if not (BUILT / "bin" / name).is_file():
            print(f"bench: {' '.join(words)}", flush=True)
            command = ["cargo", "install", "--quiet", "--locked", "--root", str(BUILT), *words]
            subprocess.run(command, env={**os.environ, **FASTEST}, check=True)


def commands() -> dict[str, list[str]]:
    """Return the implementations that are there, ours first."""
    found = {}
    words = os.environ.get("LINECASTER_JSONNET")
    target = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
    if words:
        found[OURS] = words.split()
    elif (target / "release" / "linecaster").is_file():
        found[OURS] = [str(target / "release" / "linecaster"), "jsonnet"]
    for name in CARGO:
        if (BUILT / "bin" / name).is_file():
            found[name] = [str(BUILT / "bin" / name)]
    if (GO / "jsonnet").is_file():
        found[REFERENCE] = [str(GO / "jsonnet")]
    return found


def version(name: str, command: list[str]) -> str:
    """Return the version of an implementation."""
    if name in CARGO:
        return CARGO[name][2]
    said = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
    return (said.stdout.split() or ["?"])[-1].lstrip("v")
