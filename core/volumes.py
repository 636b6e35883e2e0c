"""Says what a folder lies on: a drive of another computer, a folder that a service copies between computers, a simple file system."""

import os
import sys
from pathlib import Path

_NETWORK = frozenset(
    {"9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "fuse.davfs", "fuse.gvfsd-fuse", "fuse.rclone", "fuse.sshfs",
     "fuse.s3fs", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "smb3", "smbfs"}
)  # fmt: skip
_FAT = frozenset({"vfat", "msdos", "exfat", "fuseblk.exfat"})
_MOUNTS = Path("/proc/self/mounts")
_SYNCED = (
    ("dropbox", "Dropbox"), ("onedrive", "OneDrive"), ("google drive", "Google Drive"), ("googledrive", "Google Drive"),
    ("icloud drive", "iCloud"), ("iclouddrive", "iCloud"), ("mobile documents", "iCloud"), ("com~apple~clouddocs", "iCloud"),
    ("nextcloud", "Nextcloud"), ("owncloud", "ownCloud"), ("pcloud", "pCloud"), ("pclouddrive", "pCloud"), ("megasync", "MEGA"),
    ("syncthing", "Syncthing"), ("seafile", "Seafile"), ("box sync", "Box"), ("tresorit", "Tresorit"),
)  # fmt: skip
_SYNC_MARKS = (".stfolder",)
_DRIVE_REMOTE = 4


def is_on_network(path: str) -> bool:
    """Whether the folder is reached over a network."""
    if sys.platform == "win32":
        import ctypes

        drive = os.path.splitdrive(os.path.abspath(path))[0]
        return drive.startswith("\\\\") or ctypes.windll.kernel32.GetDriveTypeW(f"{drive}\\") == _DRIVE_REMOTE
    if sys.platform == "darwin":
        return _is_far_from_mac(path)
    try:
        mounts = _MOUNTS.read_bytes()
    except OSError:
        return False
    return kind_of_mount(mounts, path) in _NETWORK


def has_coarse_times(path: str) -> bool:
    """Whether the folder lies on FAT or exFAT: their times are even seconds of a local clock, which daylight saving moves."""
    if sys.platform == "win32":
        import ctypes

        name = ctypes.create_unicode_buffer(64)
        drive = os.path.splitdrive(os.path.abspath(path))[0] + "\\"
        told = ctypes.windll.kernel32.GetVolumeInformationW(drive, None, 0, None, None, None, name, len(name))
        return bool(told) and name.value.casefold() in ("fat", "fat32", "exfat")
    if sys.platform == "darwin":
        return _told_by_mac(path)[1] in ("msdos", "exfat")
    try:
        return kind_of_mount(_MOUNTS.read_bytes(), path) in _FAT
    except OSError:
        return False


def _is_far_from_mac(path: str) -> bool:
    return not _told_by_mac(path)[0]


def _told_by_mac(path: str) -> tuple[bool, str]:
    """(whether the drive is local, the name of its file system), as `statfs` says; local and unnamed where it says nothing."""
    import ctypes
    import ctypes.util

    size, flags_at, name_at, local = (
        2_168,
        64,
        72,
        0x1000,
    )  # struct statfs with 64-bit inodes: size, f_flags, f_fstypename; MNT_LOCAL
    about = ctypes.create_string_buffer(size)
    libc = ctypes.CDLL(ctypes.util.find_library("c"))
    statfs = (
        getattr(libc, "statfs$INODE64", None) or libc.statfs
    )  # Intel has both, Apple silicon only the newer under the old name
    if statfs(os.fsencode(path), about) != 0:
        return True, ""
    flags = int.from_bytes(about.raw[flags_at : flags_at + 4], sys.byteorder)
    return bool(flags & local), about.raw[name_at : name_at + 16].split(b"\0")[0].decode("ascii", "replace")


def syncing_service(path: str) -> str:
    """The name of the service that copies this folder between computers; empty when none is known to."""
    for folder in (Path(path), *Path(path).parents):
        name = folder.name.casefold()
        for beginning, service in _SYNCED:
            if name == beginning or name.startswith((f"{beginning} -", f"{beginning} (")):
                return service
        if any((folder / mark).exists() for mark in _SYNC_MARKS):
            return "Syncthing"
    return ""


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
