"""Decides what a source file is to the person: photo, screenshot, video, recording, document or note."""

import re

from core.capture.facts import FileFacts, Tag
from core.capture.formats import Medium
from core.records import MemoryKind

_SCREENSHOT_NAME = re.compile(
    r"(?:^|[^a-z])(?:screen[ _-]?shot|screen[ _-]?capture|screencap|bildschirmfoto|captura de (?:pantalla|ecr)|capture d.?.cran|"
    r"schermata|sk.rmbild|sk.rmbillede|schermafbeelding|zrzut|screenclip)|截屏|截圖|截图|スクリーンショット|스크린샷",
    re.IGNORECASE,
)
_SCREENSHOT_FOLDER = re.compile(r"[/\\]screen ?shots?[/\\]", re.IGNORECASE)
_SCAN = re.compile(r"scan|epson|canoscan|lide|fujitsu|vuescan|camscanner|adobe scan|genius scan", re.IGNORECASE)
# Widths and heights in pixels of common phone and tablet screens; a PNG of exactly such a size came from one.
_PHONE_WIDTHS = frozenset({640, 720, 750, 828, 1080, 1125, 1170, 1179, 1206, 1242, 1284, 1290, 1320, 1440})
_DESKTOPS = frozenset(
    {(1280, 720), (1280, 800), (1366, 768), (1440, 900), (1536, 864), (1600, 900), (1680, 1050), (1920, 1080), (1920, 1200),
     (2560, 1440), (2560, 1600), (2880, 1800), (3024, 1964), (3456, 2234), (3840, 2160)}
)  # fmt: skip


def kind_of(facts: FileFacts, path: str, file_name: str) -> MemoryKind:
    """What the file is, by what it says about itself; what is in the picture may refine it later."""
    if facts.medium is Medium.VIDEO:
        return MemoryKind.VIDEO
    if facts.medium is Medium.AUDIO:
        return MemoryKind.RECORDING
    if facts.medium is Medium.NOTE:
        return MemoryKind.NOTE
    if facts.medium is Medium.PAGES:
        return MemoryKind.DOCUMENT
    if not facts.camera and (_says_screenshot(facts, path, file_name) or _is_screen_sized(facts)):
        return MemoryKind.SCREENSHOT
    if _SCAN.search(f"{facts.camera} {facts.tags.get(Tag.SOFTWARE, '')}"):
        return MemoryKind.DOCUMENT
    return MemoryKind.PHOTO


def _says_screenshot(facts: FileFacts, path: str, file_name: str) -> bool:
    return bool(
        _SCREENSHOT_NAME.search(file_name)
        or _SCREENSHOT_FOLDER.search(path)
        or "screenshot" in facts.tags.get(Tag.COMMENT, "").casefold()
    )


def _is_screen_sized(facts: FileFacts) -> bool:
    if facts.format != "png":
        return False
    short, long = sorted((facts.width, facts.height))
    return (facts.width, facts.height) in _DESKTOPS or (short in _PHONE_WIDTHS and 1.7 <= long / short <= 2.4)
