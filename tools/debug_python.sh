#!/usr/bin/env bash
# Runs the Python suite under a debug build of Python, the extension built with
# its own debug assertions, and a part of it under valgrind: what no fast build
# notices (wrong reference counts, a broken `str`, reads and writes outside of
# memory) ends the run.
#
#   tools/debug_python.sh debug     [pytest's arguments]
#   tools/debug_python.sh valgrind  [pytest's arguments]
#
# Debian: python3-dbg, python3-venv and valgrind; root gets what is missing
# installed. DEBUG_PYTHON names another interpreter for `debug`, PYTHON for
# `valgrind`.
set -eu
cd "$(dirname "$0")/.."
mode=${1:-debug}
shift || true

case $mode in
debug) python=${DEBUG_PYTHON:-python3-dbg} ;;
valgrind) python=${PYTHON:-python3} ;;
*)
    echo "error: debug or valgrind, not $mode" >&2
    exit 1
    ;;
esac
packages="python3-dbg python3-venv valgrind"
programs=$python
[ "$mode" = debug ] || programs+=" valgrind"
for program in $programs; do
    command -v "$program" >/dev/null && continue
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        # shellcheck disable=SC2086
        apt-get update -qq && apt-get install -y -qq $packages
    fi
    command -v "$program" >/dev/null || {
        echo "error: $program is missing: apt-get install $packages" >&2
        exit 1
    }
done

venv=build/venv/$mode
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes \
    -r tools/requirements/build.txt -r tools/requirements/test.txt
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes \
    --only-binary :all: -r tools/requirements/peers.txt ||
    echo "without the peer libraries: no wheels for $python"

# The `test` profile of Cargo would be too slow by far: optimise, and keep the
# assertions and the symbols.
export CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true
export CARGO_PROFILE_RELEASE_DEBUG=line-tables-only CARGO_PROFILE_RELEASE_STRIP=none
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
export PYO3_PYTHON="$PWD/$venv/bin/python"
wheels=build/wheels/$mode
rm -rf "$wheels"
"$venv/bin/maturin" build --release --locked --quiet --interpreter "$PYO3_PYTHON" \
    --out "$wheels" --target-dir "${CARGO_TARGET_DIR:-target}/$mode"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --force-reinstall \
    --no-deps "$wheels"/*.whl

export HYPOTHESIS_PROFILE=${HYPOTHESIS_PROFILE:-ci}
if [ "$mode" = debug ]; then
    # -X dev: also Python's debug hooks on memory.
    exec "$venv/bin/python" -X dev -X faulthandler -m pytest -q -rs tests/python \
        --ignore tests/python/test_bench.py "$@"
fi
# Python's own allocator would hide what is read behind the end of an object.
export PYTHONMALLOC=malloc
log=$PWD/build/valgrind.log
# What is deselected takes minutes here, and reads nothing but short ASCII.
[ $# -gt 0 ] || set -- tests/python/test_dumps_{targets,callbacks,widening,keys}.py \
    tests/python/test_loads_*.py \
    --deselect tests/python/test_loads_values.py::test_floats_are_those_that_float_reads
valgrind --quiet --num-callers=25 --error-limit=no --track-origins=yes --log-file="$log" \
    "$venv/bin/python" -X faulthandler -m pytest -q "$@"
# Builds of Python have findings of their own, from their start on: those count
# that have the extension on the stack, of the use or of the origin. Not so the
# ints that Python makes of zeros: maybe_small_long multiplies a digit that is not
# written by a length of zero, and finds the one 0 at an address that valgrind
# then takes for undefined wherever it goes, in a collection that our allocations
# set off, too. Its origin is a block that _PyLong_New made for Python's own code.
findings=$(awk '
    BEGIN { RS = "\n==[0-9]+== \n" }
    function is_pythons_int(origin,    frames, count, i) {
        count = split(origin, frames, "\n")
        for (i = 2; i < count && i < 6; i++)
            if (frames[i] ~ /_PyLong_New/)
                return frames[i + 1] !~ /linecaster/
        return 0
    }
    !/linecaster/ { next }
    split($0, part, "was created by") > 1 && is_pythons_int(part[2]) { next }
    { print; print "" }
' "$log")
if [ -n "$findings" ]; then
    printf '%s\n' "$findings"
    echo "error: findings in the extension, see $log" >&2
    exit 9
fi
echo "no finding that counts; all of them are in $log"
