"""Which drawing a word of the recipe means."""

from collections.abc import Callable, Mapping

import numpy as np
from PIL import Image

from resources.sample_album import launch, papers, rooms, scenes, screens, signs, stages
from resources.sample_album.canvas import again, as_photo
from resources.sample_album.recipe import AlbumKind, AlbumMemory

Drawing = Callable[[AlbumMemory, np.random.Generator], Image.Image]

DRAWINGS: Mapping[str, Drawing] = {
    drawing.__name__: drawing
    for drawing in (
        *(screens.checkin, screens.chat, screens.boarding_pass, screens.train_ticket, screens.email),
        *(papers.receipt, papers.ticket, papers.business_card, papers.badge, papers.menu, papers.medicine),
        *(signs.wifi_sign, signs.banner, signs.flyer, signs.programme, signs.poster, signs.whiteboard, signs.slide),
        *(signs.chalkboard, signs.trail_sign, signs.launch_poster),
        *(scenes.beach, scenes.lighthouse, scenes.sunset, scenes.mountains, scenes.forest, scenes.snow_park),
        *(scenes.market, scenes.city_night, launch.rocket),
        *(rooms.climbing_wall, rooms.cat, rooms.airport, rooms.coffee, rooms.party, rooms.cake),
        *(stages.stage, stages.neon_stage),
    )
}


def drawn(memory: AlbumMemory) -> Image.Image:
    """The upright picture of a photo or screenshot; the same pixels every time."""
    picture = DRAWINGS[memory.draw](memory, _chance(memory.like or memory.file))
    if memory.kind is AlbumKind.SCREENSHOT:
        return picture
    chance = _chance(memory.file + " lens")
    return as_photo(again(picture, chance) if memory.like else picture, chance)


def _chance(words: str) -> np.random.Generator:
    return np.random.default_rng(list(words.encode()))
