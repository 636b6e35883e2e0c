#!/usr/bin/env bash
# Packs the bundle for Linux with its menu entry and install script: make_tarball.sh [BUNDLE] [OUT]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
bundle=${1:-$root/dist/madeleine}
out=${2:-$root/dist}

version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/pyproject.toml")
name=madeleine-$version-linux-$(uname -m)
mkdir -p "$out"
staged=$(mktemp -d)
trap 'rm -rf "$staged"' EXIT

mkdir -p "$staged/$name"
cp -a "$bundle" "$staged/$name/program"
cp "$here/madeleine.desktop" "$here/install.sh" "$staged/$name/"
if [ -f "$root/resources/icons/madeleine.svg" ]; then
    cp "$root/resources/icons/madeleine.svg" "$staged/$name/"
fi
tar -C "$staged" --owner=0 --group=0 --numeric-owner -czf "$out/$name.tar.gz" "$name"
(cd "$out" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
echo "$out/$name.tar.gz"
