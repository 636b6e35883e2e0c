"""Which names of one folder belong to one capture: `IMG_1.JPG`, `IMG_1.MOV`, `IMG_1.CR2`, `IMG_1-edited.jpg`, `IMG_E1.JPG`."""

import os
import re
import unicodedata
from dataclasses import dataclass

_RAW = ".dng .cr2 .cr3 .crw .nef .nrw .arw .srf .sr2 .raf .orf .rw2 .rwl .pef .srw .x3f .3fr .iiq .erf .mrw .dcr .kdc .mos .gpr"
RAW_SUFFIXES = frozenset(_RAW.split())
"""Extensions of the sensor data that a camera writes beside its JPEG."""

_VIDEO = ".mp4 .mov .m4v .qt .3gp .3g2 .mp .mv"
VIDEO_SUFFIXES = frozenset(_VIDEO.split())
_INNER = (".mp", ".mv", ".cover")
_EDITS = (
    "edited|effects|smile|mix|bearbeitet|bewerkt|modifié|modifiée|modificato|ha editado|editado|editada|editat|edytowane|redigerad|"
    "redigeret|redigert|muokattu|upravené|upraveno|szerkesztett|düzenlendi|отредактировано|изменено|відредаговано|diedit|đã chỉnh sửa|"
    "編集済み|编辑|已编辑|編輯|已編輯|편집됨|수정됨"
)
"""How Google marks an edited copy, in the language that the person's account had on that day."""

_EDITED = re.compile(rf"-(?:{_EDITS})(?=$|\(\d+\)$)", re.IGNORECASE)
_CUT_EDIT = re.compile(
    r"^(.{40,})-(?:e|ed|edi|edit|edite)(?=$|\(\d+\)$)"
)  # names are cut at 47 characters, the mark with them
_APPLE_EDITED = re.compile(r"^(IMG_)E(\d{4,})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stem:
    """A name taken apart.

    Attributes:
        key: the same for every file of one capture, whatever the case and the way its accents are stored.
        suffix: extension, lower case, with its dot.
        is_edited: the name says that it is a changed version of another file.
    """

    key: str
    suffix: str
    is_edited: bool = False


def stem_of(name: str) -> Stem:
    """The name's parts. A Pixel's `PXL_1.MP.jpg` and its clip `PXL_1.MP` have one key."""
    bare, suffix = os.path.splitext(name)
    while os.path.splitext(bare)[1].casefold() in _INNER:
        bare = os.path.splitext(bare)[0]
    original = without_edit_mark(bare)
    return Stem(name_key(original), suffix.casefold(), original != bare)


def without_edit_mark(bare: str) -> str:
    """A name without extension as the unedited file had it."""
    normal = unicodedata.normalize("NFC", bare)
    unmarked = _APPLE_EDITED.sub(r"\1\2", _CUT_EDIT.sub(r"\1", _EDITED.sub("", normal)))
    return bare if unmarked == normal else unmarked


def name_key(name: str) -> str:
    """How names are compared: without case, accents stored in one way."""
    return unicodedata.normalize("NFC", name).casefold()
