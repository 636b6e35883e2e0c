"""Can other programs read the graph, and does nothing in a name break the file?"""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.augment.relations import Relations
from core.errors import RequestError, StoreError
from core.store.graph_export import export_graph
from core.store.library import Library
from tests.core.augment.life import remember, run

_NS = {"g": "http://graphml.graphdrawing.org/xmlns"}
ODD = "Zoë <&\"'> ]]> \ufffe\ud83d"


@pytest.fixture
def lived(library: Library) -> Library:
    library.stages.set_note("owner", "Mara")
    remember(library, "2024-05-01T12:00", people=("Nina", ODD), activities=("sailing",), things=("boat",))
    remember(library, "2025-05-01T12:00", people=("Nina",))
    run(library)
    Relations(library).relate("me", "sister", "Nina", since="1990")
    return library


def data(element: ElementTree.Element) -> dict[str, str]:
    return {each.get("key", "").partition("_")[2]: each.text or "" for each in element.findall("g:data", _NS)}


def test_graphml_holds_every_node_once_and_every_relation_with_its_sources(lived: Library, tmp_path: Path) -> None:
    count = export_graph(lived, tmp_path / "life.graphml")
    root = ElementTree.parse(tmp_path / "life.graphml").getroot()  # noqa: S314 - our own file
    nodes = {each.get("id"): data(each) for each in root.iterfind("g:graph/g:node", _NS)}
    edges = [
        (nodes[each.get("source")], data(each), nodes[each.get("target")])
        for each in root.iterfind("g:graph/g:edge", _NS)
    ]

    assert len(edges) == count
    assert len({(each["kind"], each["name"]) for each in nodes.values()}) == len(nodes)
    [sister] = [edge for edge in edges if edge[1]["relation"] == "sister"]
    assert (sister[0]["name"], sister[2]["name"], sister[1]["made_by"]) == ("Mara", "Nina", "person")
    assert json.loads(sister[1]["attributes"]) == {"from": ["1990"]}
    assert len(sister[2]["portraits"].split()) == 2
    [doing] = [edge for edge in edges if edge[1]["relation"] == "doing" and edge[0]["name"] == "Nina"]
    assert json.loads(doing[1]["attributes"])["object"] == ["boat"]
    assert len(doing[1]["memories"].split()) == 1


def test_json_lines_are_those_of_an_export(lived: Library, tmp_path: Path) -> None:
    count = export_graph(lived, tmp_path / "life.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "life.jsonl").read_text().splitlines()]
    assert len(lines) == count
    assert {line["made_by"] for line in lines} == {"rule", "person"}


def test_a_file_that_cannot_be_is_refused_in_a_sentence(lived: Library, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="neither"):
        export_graph(lived, tmp_path / "life.png")
    with pytest.raises(StoreError, match="cannot be written"):
        export_graph(lived, tmp_path / "nowhere" / "life.graphml")
