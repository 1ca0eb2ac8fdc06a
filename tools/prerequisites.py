"""Check that the tools are here before anything is made, and name what is missing.

Called as `prerequisites.py demo|test|…`: each make target needs its own tools.
Compares the Rust version with `rust-version` in Cargo.toml. Standard library
only, any Python from 3.8 on.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import List, Optional, Tuple

ROOT = Path(__file__).resolve().parent.parent

RUSTUP = "install Rust by rustup (https://rustup.rs): curl -sSf https://sh.rustup.rs | sh -s -- -y"
RUST_UPDATE = "rustup update stable  (a Rust from Debian's packages may be too old: use rustup)"

RUST_BUILD = ("cc", "cargo", "rustc")
RUST_CHECK = ("cargo-clippy", "rustfmt")
NEEDS = {
    "demo": RUST_BUILD,
    "bench": RUST_BUILD,
    "build": RUST_BUILD,
    "test": (*RUST_BUILD, *RUST_CHECK),
    "lint": (*RUST_BUILD, *RUST_CHECK),
    "fmt": ("rustfmt",),
    "fuzz": (*RUST_BUILD, "nightly"),
}


def minimum_rust() -> Tuple[int, ...]:
    """Read the minimum supported Rust version from the workspace's manifest."""
    manifest = (ROOT / "Cargo.toml").read_text()
    found = re.search(r'^rust-version = "([0-9.]+)"', manifest, re.MULTILINE)
    if found is None:
        raise SystemExit("error: Cargo.toml states no rust-version")
    return tuple(int(part) for part in found.group(1).split("."))


def said_by(command: List[str]) -> Optional[str]:
    """Return what a command prints, or None if it is missing or fails."""
    if shutil.which(command[0]) is None:
        return None
    try:
        answer = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError:
        return None
    return answer.stdout.decode(errors="replace") if answer.returncode == 0 else None


def rust_version(said: str) -> Tuple[int, ...]:
    """Take the version out of `rustc 1.89.0 (…)`."""
    found = re.search(r" (\d+)\.(\d+)\.(\d+)", said)
    return tuple(int(part) for part in found.groups()) if found else (0,)


def check_rust(program: str) -> Optional[str]:
    """Check that the program starts and that it is not older than the minimum."""
    said = said_by([program, "--version"])
    if said is None:
        return f"{program}: {RUSTUP}"
    least = minimum_rust()
    if rust_version(said) < least:
        wanted = ".".join(map(str, least))
        return f"{said.strip()} is older than {wanted}, the minimum: {RUST_UPDATE}"
    return None


def check_cc(_: str) -> Optional[str]:
    """Check for the linker driver that Rust calls."""
    return None if shutil.which("cc") else "cc: apt-get install gcc"


def check_component(program: str) -> Optional[str]:
    """Check for rustfmt or clippy, which rustup calls components."""
    if said_by([program, "--version"]) is not None:
        return None
    name = "clippy" if program == "cargo-clippy" else program
    return f"{name}: rustup component add {name}"


def check_nightly(_: str) -> Optional[str]:
    """Check for the nightly toolchain that cargo-fuzz needs."""
    said = said_by(["cargo", "+nightly", "--version"])
    return None if said else "a nightly Rust: rustup toolchain install nightly"


CHECKS = {
    "cc": check_cc,
    "cargo": check_rust,
    "rustc": check_rust,
    "cargo-clippy": check_component,
    "rustfmt": check_component,
    "nightly": check_nightly,
}


def missing(target: str) -> List[str]:
    """Return a line for each tool that the target needs and that is not here."""
    lines = [CHECKS[name](name) for name in NEEDS[target]]
    return [line for line in lines if line is not None]


def require(target: str) -> None:
    """End the run with a message that names every missing tool."""
    lines = missing(target)
    if lines:
        sys.exit("\n  ".join([f"error: make {target} needs", *lines]))


if __name__ == "__main__":
    require(sys.argv[1] if len(sys.argv) > 1 else "test")
