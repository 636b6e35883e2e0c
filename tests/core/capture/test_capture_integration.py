"""The run with the real starter models: text is read, silence stays silent, vectors are stored."""

from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from core.records import Stage
from core.retrieve.embed import MEMORY, space
from models.installed import InstalledModels
from tests.core.capture import drawn
from tests.core.capture.conftest import Capturing

pytestmark = pytest.mark.integration


def _sign(path: Path, *lines: str) -> Path:
    sign = Image.new("RGB", (1200, 900), "white")
    pen = ImageDraw.Draw(sign)
    for number, text in enumerate(lines):
        pen.text((80, 80 + 140 * number), text, fill="black", font=ImageFont.load_default(72))
    sign.save(path, "JPEG", quality=90)
    return path


def test_a_drawn_sign_is_read_understood_and_embedded(
    capture: Capturing, album: Path, models_dir: Path, tmp_path: Path
) -> None:
    _sign(album / "IMG_20240513_125020.jpg", "HCI Forum 2024", "Wi-Fi: HCIForum-Guest", "Password: melange2024")
    drawn.wav(album / "silence.wav", 2.0, loud=0.0)
    models = InstalledModels(models_dir, tmp_path)
    try:
        done = capture(models)
        embedder = models.text_embedder
        assert embedder is not None
        owners = capture.library.embeddings.owner_ids(MEMORY, space(embedder))
    finally:
        models.close()

    sign = capture.named("IMG_20240513_125020.jpg")
    assert done.troubles == []
    assert "melange2024" in sign.visible_text
    assert sign.environment == "conference venue"
    assert "attending a conference" in sign.activities
    assert sign.id in owners
    assert capture.named("silence.wav").speech == ""
    assert capture.library.stages.counts()[Stage.SPEECH]["nothing"] == 2
    assert capture.library.files.problems() == []
