"""Says whether a folder lies on a drive of another computer."""

import os
import sys
from pathlib import Path

_NETWORK = frozenset(
    {"9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "fuse.davfs", "fuse.gvfsd-fuse", "fuse.rclone", "fuse.sshfs",
     "fuse.s3fs", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "smb3", "smbfs"}
)  # fmt: skip
_MOUNTS = Path("/proc/self/mounts")
_DRIVE_REMOTE = 4


def is_on_network(path: str) -> bool:
    """Whether the folder is reached over a network; False where the system does not tell (macOS)."""
    if sys.platform == "win32":
        import ctypes

        drive = os.path.splitdrive(os.path.abspath(path))[0]
        return drive.startswith("\\\\") or ctypes.windll.kernel32.GetDriveTypeW(f"{drive}\\") == _DRIVE_REMOTE
    try:
        mounts = _MOUNTS.read_bytes()
    except OSError:
        return False
    return kind_of_mount(mounts, path) in _NETWORK


def kind_of_mount(mounts: bytes, path: str) -> str:
    """The file system that holds a path, from the lines of `/proc/self/mounts`; the deepest mount point wins, then the latest."""
    found, length = "", -1
    for line in mounts.splitlines():
        parts = line.split(b" ")
        if len(parts) < 3:
            continue
        point = os.fsdecode(_unescaped(parts[1]))
        if len(point) >= length and (path == point or path.startswith(point.rstrip("/") + "/")):
            found, length = os.fsdecode(parts[2]), len(point)
    return found


def _unescaped(point: bytes) -> bytes:
    """Blanks in a mount point are written in octal."""
    for code, char in ((b"\\040", b" "), (b"\\011", b"\t"), (b"\\012", b"\n"), (b"\\134", b"\\")):
        point = point.replace(code, char)
    return point
