"""The layer check can fail: each kind of wrong arrow is made and must be found."""

from pathlib import Path

import layers
import pytest


def write_crate(root: Path, folder: str, name: str, manifest: str = "", source: str = "") -> None:
    crate = root / folder
    (crate / "src").mkdir(parents=True)
    head = f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2021"\n'
    (crate / "Cargo.toml").write_text(head + manifest)
    (crate / "src" / "lib.rs").write_text(source)


def arrow(section: str, name: str, path: str) -> str:
    return f'[{section}]\n{name} = {{ path = "{path}" }}\n'


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Make a workspace with the right arrows only; tests add crates or change them."""
    (tmp_path / "Cargo.toml").write_text(
        '[workspace]\nresolver = "2"\nmembers = ["crates/*", "hosts/*", "bench/*"]\n'
    )
    write_crate(tmp_path, "crates/kernel", "kernel")
    down = arrow("dependencies", "kernel", "../kernel")
    write_crate(tmp_path, "crates/formats", "formats", down)
    write_crate(tmp_path, "crates/decode", "decode", down)
    down = arrow("dependencies", "formats", "../../crates/formats")
    write_crate(tmp_path, "hosts/python", "python-host", down)
    write_crate(tmp_path, "hosts/capi", "capi", down)
    write_crate(tmp_path, "bench/kernel", "kernel-bench", down)
    return tmp_path


def append(root: Path, folder: str, text: str) -> None:
    with (root / folder / "Cargo.toml").open("a") as manifest:
        manifest.write(text)


def test_downward_arrows_pass(workspace: Path) -> None:
    assert layers.check(workspace) == []


def test_this_repository_passes() -> None:
    assert layers.check(layers.ROOT) == []


@pytest.mark.parametrize("section", ["dev-dependencies", "build-dependencies"])
def test_upward_arrow_of_any_kind_is_found(workspace: Path, section: str) -> None:
    append(workspace, "crates/decode", arrow(section, "capi", "../../hosts/capi"))
    (fault,) = layers.check(workspace)
    assert fault.startswith("crates/decode -> hosts/capi: points upwards")


def test_arrow_under_another_name_is_found(workspace: Path) -> None:
    renamed = (
        '[target."cfg(unix)".dependencies]\nk = { package = "capi", path = "../../hosts/capi" }\n'
    )
    append(workspace, "crates/decode", renamed)
    (fault,) = layers.check(workspace)
    assert fault.startswith("crates/decode -> hosts/capi: points upwards")


def test_arrow_between_crates_of_a_layer_is_found(workspace: Path) -> None:
    append(workspace, "crates/decode", arrow("dev-dependencies", "formats", "../formats"))
    (fault,) = layers.check(workspace)
    assert fault.startswith("crates/decode -> crates/formats")


def test_arrow_between_hosts_is_found(workspace: Path) -> None:
    append(workspace, "hosts/capi", arrow("dev-dependencies", "python-host", "../python"))
    (fault,) = layers.check(workspace)
    assert fault.startswith("hosts/capi -> hosts/python")


def test_arrow_to_a_benchmark_is_found(workspace: Path) -> None:
    append(workspace, "hosts/capi", arrow("dev-dependencies", "kernel-bench", "../../bench/kernel"))
    (fault,) = layers.check(workspace)
    assert fault.startswith("hosts/capi -> bench/kernel")


def test_crate_without_a_layer_is_found(workspace: Path) -> None:
    write_crate(workspace, "crates/misc", "misc")
    assert layers.check(workspace) == ["crates/misc: has no layer; give it one in tools/layers.py"]


@pytest.mark.parametrize(
    "source",
    [
        '#[path = "../../formats/src/lib.rs"]\nmod formats;\n',
        'include!("../../formats/src/lib.rs");\n',
    ],
)
def test_file_of_another_crate_is_found(workspace: Path, source: str) -> None:
    (workspace / "crates/kernel/src/lib.rs").write_text(source)
    (fault,) = layers.check(workspace)
    assert (
        fault == "crates/kernel/src/lib.rs: takes ../../formats/src/lib.rs from outside its crate"
    )
