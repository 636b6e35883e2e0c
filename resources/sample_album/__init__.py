"""The sample album: about seventy memories of an invented person, drawn on the spot by our own code."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from resources.sample_album.recipe import AlbumKind, AlbumMemory, AlbumPlace, album_facts
from resources.sample_album.saving import save

__all__ = ["AlbumKind", "AlbumMemory", "AlbumPlace", "album_facts", "draw_album"]


def draw_album(folder: Path) -> None:
    """Draw every file of the album into the folder, which is made if need be.

    The pixels, dates and positions are the same on every run. Without `espeak-ng` on the search path the video
    and the voice note are silent.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as workers:
        for _ in workers.map(lambda memory: save(memory, folder), album_facts()):
            pass
