#!/usr/bin/env bash
# Builds, tries, signs and packs Madeleine.app on macOS. Not run yet: see the README.
#
# Signing needs IDENTITY (a "Developer ID Application: ..." in the keychain) and, to notarise, PROFILE (a notarytool keychain
# profile). Without them the app is made unsigned, and a person must open it with a right click the first time.
# One architecture per run: build on Apple Silicon for arm64 and on Intel for x86_64. llama.cpp uses Metal there by itself.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"

make setup
.venv/bin/python -m installers.build
.venv/bin/python -m installers.smoke_test dist/madeleine

version=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
app=dist/Madeleine.app
cp -R dist/madeleine/licences "$app/Contents/Resources/licences"
if [ -n "${IDENTITY:-}" ]; then
    codesign --deep --force --options runtime --timestamp --entitlements installers/macos/entitlements.plist --sign "$IDENTITY" "$app"
    codesign --verify --deep --strict "$app"
fi
image=dist/madeleine-$version-macos-$(uname -m).dmg
hdiutil create -volname Madeleine -srcfolder "$app" -ov -format UDZO "$image"
if [ -n "${IDENTITY:-}" ] && [ -n "${PROFILE:-}" ]; then
    xcrun notarytool submit "$image" --keychain-profile "$PROFILE" --wait
    xcrun stapler staple "$image"
fi
echo "$image"
