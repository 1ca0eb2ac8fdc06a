"""`tools/fastapi_digests.py`: what it says of wheels."""

import subprocess
import sys
import zipfile
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "fastapi_digests.py"
ENCODERS = "def jsonable_encoder(\n    obj,\n):\n    return obj\n\n\ndef other():\n    return {}\n"
ROUTING = "async def serialize_response():\n    pass\n\n\ndef get_request_handler():\n    pass\n"


def make_wheels(folder: Path) -> None:
    """Write three versions; the last has another encoder."""
    for version, given, other in (
        ("1.9.0", "obj", 1),
        ("1.10.0", "obj", 2),
        ("1.11.0", "[obj]", 2),
    ):
        with zipfile.ZipFile(folder / f"fastapi-{version}-py3-none-any.whl", "w") as wheel:
            source = ENCODERS.replace("return obj", f"return {given}").format(other)
            wheel.writestr("fastapi/encoders.py", source)
            wheel.writestr("fastapi/routing.py", ROUTING)
    with zipfile.ZipFile(folder / "starlette-2.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("starlette/responses.py", "class JSONResponse:\n    pass\n")


def test_versions_with_the_same_definition_are_one_row(tmp_path: Path) -> None:
    make_wheels(tmp_path)
    command = [sys.executable, str(TOOL), str(tmp_path)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [line.partition("# ")[2] for line in answer.splitlines() if "# " in line]
    assert rows == [
        "1.9.0 to 1.10.0",
        "1.11.0 to 1.11.0",
        "1.9.0 to 1.11.0",
        "1.9.0 to 1.11.0",
        "2.0 to 2.0",
    ]
    assert '("fastapi.routing", "get_request_handler"): (' in answer
