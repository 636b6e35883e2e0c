"""Freezes the program into one folder: `python -m installers.build`. Stops before that on a licence it does not know."""

import argparse
import logging
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from installers import licences

ROOT = Path(__file__).resolve().parent.parent
NAME = "madeleine"

log = logging.getLogger(__name__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, and say where and how large."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder that gets the bundle")
    parser.add_argument(
        "--only-licences", action="store_true", help="check the licences and write the notices, no more"
    )
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        notices = check_licences()
    except licences.LicenceError as problem:
        log.error("Not built, because of licences:\n%s", problem)  # noqa: TRY400 - the sentence is the message
        return 1
    if not options.only_licences:
        freeze(options.out)
    bundle = options.out / NAME
    add_licences(bundle, notices)
    log.info("%s: %.0f MB", bundle, folder_bytes(bundle) / 1e6)
    return 0


def check_licences() -> str:
    """The notices of everything that goes into the bundle.

    Raises:
        licences.LicenceError: something is not on the allow-list.
    """
    policy = licences.read_policy()
    return licences.notices(licences.checked(licences.runtime_distributions(NAME), policy), policy)


def freeze(out: Path) -> None:
    """Run PyInstaller on the spec; the bundle is `out/madeleine`."""
    work = ROOT / "build" / "pyinstaller"
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN"]
    spec = ROOT / "installers" / f"{NAME}.spec"
    subprocess.run([*command, "--distpath", str(out), "--workpath", str(work), str(spec)], check=True, cwd=ROOT)  # noqa: S603


def add_licences(bundle: Path, notices: str) -> None:
    """Put our licence, the bundle's licence, the standard texts and the notices where a person finds them."""
    folder = bundle / "licences"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "THIRD_PARTY_NOTICES.txt").write_text(notices, encoding="utf-8")
    shutil.copy(ROOT / "LICENSE", folder / "Apache-2.0.txt")
    for text in (ROOT / "installers" / "licence_texts").glob("*.txt"):
        shutil.copy(text, folder)


def folder_bytes(folder: Path) -> int:
    """The size of all files in it; links count once."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())


if __name__ == "__main__":
    sys.exit(main())
