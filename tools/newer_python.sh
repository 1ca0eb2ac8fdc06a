#!/usr/bin/env bash
# Runs the Python suite on CPythons that are newer than this machine's.
#
# Makes a chroot of Debian sid by debootstrap (once; in CHROOT, else under
# /var/tmp), installs the Pythons of VERSIONS that sid has, copies the checkout
# into it and runs the Python stages of the test suite there, with this
# machine's Rust. Needs root, and debootstrap (apt-get install debootstrap).
set -eu
cd "$(dirname "$0")/.."

chroot=${CHROOT:-/var/tmp/linecaster-sid}
versions=${VERSIONS:-3.14 3.15}
mirror=${MIRROR:-http://deb.debian.org/debian}
cargo_home=${CARGO_HOME:-$HOME/.cargo}
rustup_home=${RUSTUP_HOME:-$HOME/.rustup}

[ "$(id -u)" -eq 0 ] || { echo "error: a chroot needs root" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "error: apt-get install debootstrap" >&2; exit 1; }

if [ ! -e "$chroot/.complete" ]; then
    [ -e "$chroot/usr/bin/apt-get" ] || debootstrap --variant=minbase sid "$chroot" "$mirror"
    cp /etc/resolv.conf "$chroot/etc/resolv.conf"
    chroot "$chroot" apt-get update -qq
    chroot "$chroot" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        --no-install-recommends ca-certificates gcc libc6-dev make
    touch "$chroot/.complete"
fi

pythons=()
for version in $versions; do
    if [ -x "$chroot/usr/bin/python$version" ] ||
        chroot "$chroot" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
            --no-install-recommends "python$version-venv"; then
        pythons+=("/usr/bin/python$version")
    else
        echo "absent: Debian sid has no Python $version"
    fi
done
[ "${#pythons[@]}" -gt 0 ] || { echo "error: none of Python $versions is to be had" >&2; exit 1; }

mounts=(proc dev/pts root/.cargo root/.rustup etc/ssl)
unmount() {
    for mount in "${mounts[@]}"; do
        ! mountpoint -q "$chroot/$mount" || umount "$chroot/$mount"
    done
}
trap unmount EXIT
unmount
mkdir -p "$chroot/root/.cargo" "$chroot/root/.rustup" "$chroot/src/linecaster"
mount -t proc proc "$chroot/proc"
# The command line's tests open terminals.
mkdir -p "$chroot/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$chroot/dev/pts"
ln -sfn pts/ptmx "$chroot/dev/ptmx"
mount --bind "$cargo_home" "$chroot/root/.cargo"
mount --bind "$rustup_home" "$chroot/root/.rustup"
mount --bind /etc/ssl "$chroot/etc/ssl"

# The checkout as it is, also what is not committed; what was made there before stays.
find "$chroot/src/linecaster" -mindepth 1 -maxdepth 1 ! -name build ! -name target \
    -exec rm -rf {} +
git ls-files -z --cached --others --exclude-standard |
    tar --null --ignore-failed-read -T - -c | tar -x -C "$chroot/src/linecaster"

chroot "$chroot" env -i HOME=/root LANG=C.UTF-8 TERM="${TERM:-dumb}" \
    PATH=/root/.cargo/bin:/usr/local/bin:/usr/bin:/bin PIP_CERT="${PIP_CERT:-}" \
    PYTHONS="${pythons[*]}" STAGES="python-*" \
    sh -c '[ -n "$PIP_CERT" ] || unset PIP_CERT; cd /src/linecaster && make test' </dev/null
