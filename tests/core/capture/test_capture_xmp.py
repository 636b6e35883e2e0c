"""What is read from XMP, IPTC, Takeout and iCloud files, and what is refused (row 43 of the table of inputs)."""

import json

import pytest

from core.capture import icloud, iptc, takeout, xmp
from core.capture.described import Described
from core.capture.maker_note import apple_content_id

_SPACES = {
    "x": "adobe:ns:meta/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "dc": "http://purl.org/dc/elements/1.1/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "exif": "http://ns.adobe.com/exif/1.0/",
    "lr": "http://ns.adobe.com/lightroom/1.0/",
    "MicrosoftPhoto": "http://ns.microsoft.com/photo/1.0/",
    "MPReg": "http://ns.microsoft.com/photo/1.2/t/Region#",
    "mwg": "http://www.metadataworkinggroup.com/schemas/regions/",
    "Iptc4xmpExt": "http://iptc.org/std/Iptc4xmpExt/2008-02-29/",
    "GCamera": "http://ns.google.com/photos/1.0/camera/",
    "Item": "http://ns.google.com/photos/1.0/container/item/",
}


def packet(body: str = "", attributes: str = "") -> str:
    """An XMP packet with these properties."""
    spaces = " ".join(f'xmlns:{prefix}="{name}"' for prefix, name in _SPACES.items() if prefix != "x")
    return (
        f'<x:xmpmeta xmlns:x="adobe:ns:meta/" {spaces}><rdf:RDF><rdf:Description {attributes}>{body}</rdf:Description>'
        "</rdf:RDF></x:xmpmeta>"
    )


def _read(body: str = "", attributes: str = "") -> Described:
    return xmp.read(packet(body, attributes).encode())


def _bag(*words: str) -> str:
    return "<rdf:Bag>" + "".join(f"<rdf:li>{word}</rdf:li>" for word in words) + "</rdf:Bag>"


def test_words_of_the_person_are_read_from_attributes_and_elements() -> None:
    said = _read(
        "<dc:title><rdf:Alt><rdf:li xml:lang='de'>Garten</rdf:li><rdf:li xml:lang='x-default'>Garden</rdf:li></rdf:Alt></dc:title>"
        "<dc:description><rdf:Alt><rdf:li xml:lang='x-default'>Roses by the wall</rdf:li></rdf:Alt></dc:description>"
        f"<dc:subject>{_bag('roses', 'Roses', 'summer')}</dc:subject><xmp:Rating>4</xmp:Rating>",
        "exif:DateTimeOriginal='2014-12-25T18:00:00+01:00' exif:GPSLatitude='18,32.724S' exif:GPSLongitude='70,19,52.3W'",
    )

    assert (said.title, said.caption, said.keywords, said.rating) == (
        "Garden", "Roses by the wall", ("roses", "summer"), 4,
    )  # fmt: skip
    assert said.taken == "2014-12-25T18:00:00+01:00"
    assert said.latitude == pytest.approx(-18.5454)
    assert said.longitude == pytest.approx(-70.33119, abs=1e-4)


def test_people_are_read_from_every_program_that_names_them() -> None:
    said = _read(
        "<mwg:Regions><rdf:Bag>"
        "<rdf:li><rdf:Description mwg:Name='Anna' mwg:Type='Face'/></rdf:li>"
        "<rdf:li rdf:parseType='Resource'><mwg:Name>Rex</mwg:Name><mwg:Type>Pet</mwg:Type></rdf:li>"
        "<rdf:li><rdf:Description mwg:Name='code' mwg:Type='BarCode'/></rdf:li></rdf:Bag></mwg:Regions>"
        "<rdf:li><rdf:Description MPReg:PersonDisplayName='Bea'/></rdf:li>"
        f"<Iptc4xmpExt:PersonInImage>{_bag('Cem')}</Iptc4xmpExt:PersonInImage>"
        f"<lr:hierarchicalSubject>{_bag('People|Dana', 'Places|Bergen')}</lr:hierarchicalSubject>"
        f"<dc:subject>{_bag('Dana', 'harbour')}</dc:subject>"
    )

    assert set(said.people) == {"Anna", "Rex", "Bea", "Cem", "Dana"}
    assert said.keywords == ("harbour", "Bergen")


@pytest.mark.parametrize(
    ("attributes", "rating"),
    [
        ("xmp:Rating='0'", None),
        ("xmp:Rating='-1'", None),
        ("xmp:Rating='5.0'", 5),
        ("xmp:Rating='many'", None),
        ("MicrosoftPhoto:Rating='99'", 4),
        ("MicrosoftPhoto:Rating='1'", 1),
    ],
)
def test_a_rating_is_one_to_five_stars_or_none(attributes: str, rating: int | None) -> None:
    assert _read(attributes=attributes).rating == rating


def test_a_packet_in_utf_16_is_read() -> None:
    text = "<?xml version='1.0' encoding='utf-16'?>\n" + packet(attributes="xmp:Rating='3'") + "\n"

    assert xmp.read(text.encode("utf-16")).rating == 3


@pytest.mark.parametrize("caption", ["OLYMPUS DIGITAL CAMERA", "SAMSUNG", "Exif_JPEG_PICTURE", "cof"])
def test_what_a_camera_fills_in_is_no_caption(caption: str) -> None:
    assert _read(f"<dc:description><rdf:Alt><rdf:li>{caption}</rdf:li></rdf:Alt></dc:description>").caption == ""


@pytest.mark.parametrize(
    "bad",
    [
        "<x:xmpmeta><not closed",
        "<!DOCTYPE x [<!ENTITY a 'b'>]>" + packet(),
        "<!DOCTYPE x SYSTEM 'file:///etc/passwd'>" + packet(),
        "<a>" * 1_000 + "</a>" * 1_000,
        "",
        "<" + "a" * xmp.LARGEST_BYTES,
    ],
)
def test_what_is_no_xmp_is_refused(bad: str) -> None:
    for encoded in (bad.encode(), bad.encode("utf-16")):
        with pytest.raises(xmp.BadXmpError):
            xmp.read(encoded)


def test_the_length_of_a_moving_part_is_read_in_both_of_its_spellings() -> None:
    container = (
        "<rdf:li><rdf:Description Item:Semantic='Primary' Item:Length='0' Item:Padding='8'/></rdf:li>"
        "<rdf:li><rdf:Description Item:Semantic='MotionPhoto' Item:Mime='video/mp4' Item:Length='2000'/></rdf:li>"
    )

    assert _read(attributes="GCamera:MicroVideoOffset='1500'").clip_bytes == 1500
    assert _read(container).clip_bytes == 2000
    assert _read(attributes="GCamera:MicroVideoOffset='-5'").clip_bytes == 0


def test_iptc_fields_are_decoded_as_they_say_or_as_they_look() -> None:
    said = iptc.read(
        {(1, 90): b"\x1b%G", (2, 25): ["Bögen".encode(), b"harbour\0\0"], (2, 120): b"At the quay",
         (2, 55): b"20140203", (2, 60): b"101112+0100"}
    )  # fmt: skip

    assert (said.keywords, said.caption, said.taken) == (
        ("Bögen", "harbour"), "At the quay", "2014:02:03 10:11:12+01:00",
    )  # fmt: skip
    assert iptc.read({(2, 5): "Brücke".encode("latin-1")}).title == "Brücke"


def test_a_takeout_json_is_read_without_its_empty_position() -> None:
    fields = {
        "title": "a.jpg", "photoTakenTime": {"timestamp": "-86400"}, "geoData": {"latitude": 0.0, "longitude": 0.0},
        "geoDataExif": {"latitude": 60.39, "longitude": 5.32}, "description": " By the sea ", "favorited": True,
        "people": [{"name": "Anna"}, {}, "x"],
    }  # fmt: skip
    said = takeout.read(json.dumps(fields).encode())

    assert (said.taken_utc_s, said.caption, said.favourite, said.people) == (-86400.0, "By the sea", True, ("Anna",))
    assert (said.latitude, said.longitude) == (60.39, 5.32)


@pytest.mark.parametrize("data", [b"[]", b"{}", b"{", b"\xff", b"[" * 100_000, b'{"photoTakenTime": 3}'], ids=range(6))
def test_a_json_of_something_else_is_refused(data: bytes) -> None:
    with pytest.raises(takeout.NotTakeoutError):
        takeout.read(data)


@pytest.mark.parametrize("stamp", ["", "soon", "nan", "0"])
def test_a_senseless_time_of_a_takeout_is_none(stamp: str) -> None:
    assert takeout.read(json.dumps({"photoTakenTime": {"timestamp": stamp}}).encode()).taken_utc_s is None


@pytest.mark.parametrize(
    ("media", "sidecar"),
    [
        ("IMG_1.jpg", "IMG_1.jpg.json"),
        ("IMG_1.jpg", "IMG_1.jpg.supplemental-metadata.json"),
        ("IMG_1(1).jpg", "IMG_1.jpg(1).json"),
        ("IMG_1(1).jpg", "IMG_1.jpg.supplemental-metadata(1).json"),
        ("tree (2).jpg", "tree (2).jpg.supplemental-metadata.json"),
        ("IMG_1-edited.jpg", "IMG_1.jpg.json"),
        ("IMG_1-bearbeitet(1).jpg", "IMG_1.jpg(1).json"),
        ("PXL_20240102_030405060.MP.jpg", "PXL_20240102_030405060.MP.jpg.supplemental-met.json"),
        ("PXL_20240102_030405060.PORTRAIT(1).jpg", "PXL_20240102_030405060.PORTRAIT.jpg.supplement(1).json"),
        ("PXL_20240102_030405060.MOTION-02.ORIGINAL.jpg", "PXL_20240102_030405060.MOTION-02.ORIGINAL.jpg..json"),
        ("n" * 47 + ".jpg", "n" * 46 + ".json"),
        ("été.jpg", "e\u0301te\u0301.jpg.json"),
    ],
)
def test_a_takeout_json_is_found_by_each_of_its_names(media: str, sidecar: str) -> None:
    assert takeout.match([media], [sidecar], lambda _: "") == {media: sidecar}


@pytest.mark.parametrize(
    ("media", "sidecar"),
    [
        ("IMG_1.jpg", "IMG_1.jpg(1).json"),
        ("IMG_1(1).jpg", "IMG_1.jpg.json"),
        ("IMG_1(1).jpg", "IMG_1.jpg(2).json"),
        ("IMG_12.jpg", "IMG_1.jpg.json"),
        ("IMG_1.jpg", "IMG_1.json"),
        ("IMG_1.jpg", "metadata.json"),
    ],
)
def test_a_takeout_json_of_another_file_is_left_alone(media: str, sidecar: str) -> None:
    assert takeout.match([media], [sidecar], lambda _: "") == {}


def test_the_title_inside_decides_between_two_names_cut_alike() -> None:
    first, second = "n" * 46 + "a.jpg", "n" * 46 + "b.jpg"

    assert takeout.match([first, second], ["n" * 46 + ".json"], lambda _: second) == {second: "n" * 46 + ".json"}
    assert takeout.match([first, second], ["n" * 46 + ".json"], lambda _: "") == {}


def test_an_icloud_table_gives_dates_and_favourites() -> None:
    table = icloud.read(
        b"\xef\xbb\xbfimgName,fileChecksum,favorite,hidden,deleted,originalCreationDate,viewCount,importDate\n"
        b'IMG_1.JPG,x,yes,no,no,"Friday October 6,2023 12:11 AM GMT",1,"Friday October 6,2023 12:11 PM GMT"\n'
        b'IMG_2.JPG,x,no,no,no,"Someday Nevruary 66,2023 12:11 PM GMT",1,\n'
    )

    assert (table["img_1.jpg"].taken_utc_s, table["img_1.jpg"].favourite) == (1_696_551_060.0, True)
    assert table["img_2.jpg"].is_empty
    assert icloud.read(b"a,b\n1,2\n") == {}
    assert icloud.is_details("Photo Details-1.csv")
    assert not icloud.is_details("Photo.csv")


def test_apples_mark_of_a_live_photo_is_found_in_its_maker_note() -> None:
    note = (
        b"Apple iOS\0\0\1MM\0\2" + b"\0\1\0\x09\0\0\0\1\0\0\0\x0e" + b"\0\x11\0\2\0\0\0\x25\0\0\0\x28" + b"\0\0\0\0"
        + b"01234567-89AB-CDEF-0123-456789ABCDEF\0"
    )  # fmt: skip

    assert len(note) == 0x2C + 37
    assert apple_content_id(note.replace(b"\0\0\0\x28", b"\0\0\0\x2c")) == "01234567-89AB-CDEF-0123-456789ABCDEF"
    assert [apple_content_id(other) for other in (note[:20], b"Nikon\0", None, b"Apple iOS\0\0\1MM")] == [""] * 4
