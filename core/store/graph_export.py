"""Writes the life graph so that other programs can read it: JSON lines, as an export has them, or GraphML."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree

from core.errors import RequestError, StoreError
from core.records import Attributes, Concept, Triple
from core.store.graph import PERSON, joined
from core.store.json_lines import write_json_lines
from core.store.library import Library
from core.text_keys import printable, text_key

_GRAPHML = "http://graphml.graphdrawing.org/xmlns"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NODE_KEYS, _EDGE_KEYS = (
    ("kind", "name", "event", "memories", "portraits"),
    ("relation", "attributes", "memories", "made_by"),
)
_PORTRAITS = 5

Line = dict[str, object]


def export_graph(library: Library, path: Path) -> int:
    """Write the graph to a `.graphml` or `.jsonl` file; returns how many relations it has.

    Raises:
        RequestError: the file has another ending.
        StoreError: it cannot be written.
    """
    if path.suffix.lower() == ".jsonl":
        return write_json_lines(path, graph_lines(library))
    if path.suffix.lower() != ".graphml":
        raise RequestError(f"{path.name} is neither .graphml nor .jsonl.", "Choose one of these endings.")
    lines = list(graph_lines(library))
    try:
        _graphml(library, lines).write(path, encoding="utf-8", xml_declaration=True)
    except OSError as error:
        raise StoreError(f"{path} cannot be written ({error.strerror}).", "Choose another place.") from error
    return len(lines)


def graph_lines(library: Library) -> Iterator[Line]:
    """One line an edge, with every memory it was read from; then what the person told, which rests on their word."""
    public = {memory_id: public_id for public_id, memory_id in library.memories.ids_by_public_id().items()}
    grouped: dict[tuple[Concept, str, Concept], list[Triple]] = {}
    for triple in library.graph.all():
        if triple.memory_id in public:
            grouped.setdefault((triple.source, triple.relation, triple.target), []).append(triple)
    for (source, relation, target), triples in grouped.items():
        yield _edge(
            source, relation, target, joined(triple.attributes for triple in triples),
            [public[triple.memory_id] for triple in triples], triples[0].made_by,
        )  # fmt: skip
    for told in library.graph.told():
        if told.holds:
            yield _edge(told.source, told.relation, told.target, told.attributes, [], "person")


def _edge(
    source: Concept, relation: str, target: Concept, attributes: Attributes, memories: list[str], made_by: str
) -> Line:
    return {
        "source": _concept(source),
        "relation": relation,
        "target": _concept(target),
        "attributes": {role: list(values) for role, values in attributes},
        "memories": memories,
        "made_by": made_by,
    }


def _concept(concept: Concept) -> dict[str, str]:
    event = {"event": concept.ref} if concept.ref else {}
    return {"kind": concept.kind, "name": concept.name, **event}


def _graphml(library: Library, lines: list[Line]) -> "ElementTree.ElementTree[ElementTree.Element[str]]":
    ElementTree.register_namespace("", _GRAPHML)
    root = ElementTree.Element(f"{{{_GRAPHML}}}graphml")
    for scope, keys in (("node", _NODE_KEYS), ("edge", _EDGE_KEYS)):
        for key in keys:
            ElementTree.SubElement(
                root, f"{{{_GRAPHML}}}key",
                {"id": f"{scope}_{key}", "for": scope, "attr.name": key, "attr.type": "string"},
            )  # fmt: skip
    graph = ElementTree.SubElement(root, f"{{{_GRAPHML}}}graph", {"id": "life", "edgedefault": "directed"})
    nodes = _nodes(lines)
    portraits = _portraits(library)
    for identity, (at, concept, memories) in nodes.items():
        shown = portraits.get(identity[1], []) if concept["kind"] == PERSON else []
        values = {**concept, "memories": " ".join(sorted(memories)), "portraits": " ".join(shown)}
        _element(graph, "node", {"id": f"n{at}"}, values)
    for line in lines:
        ends = {end: f"n{nodes[_identity(line[end])][0]}" for end in ("source", "target")}
        values = {
            "relation": str(line["relation"]),
            "attributes": json.dumps(line["attributes"], ensure_ascii=False) if line["attributes"] else "",
            "memories": " ".join(map(str, line["memories"])) if isinstance(line["memories"], list) else "",
            "made_by": str(line["made_by"]),
        }
        _element(graph, "edge", ends, values)
    ElementTree.indent(root)
    return ElementTree.ElementTree(root)


def _nodes(lines: list[Line]) -> dict[tuple[str, str], tuple[int, dict[str, str], set[str]]]:
    """Each concept once: its number, itself, and the memories of all its relations."""
    found: dict[tuple[str, str], tuple[int, dict[str, str], set[str]]] = {}
    for line in lines:
        for concept in (line["source"], line["target"]):
            if isinstance(concept, dict) and isinstance(line["memories"], list):
                found.setdefault(_identity(concept), (len(found), concept, set()))[2].update(line["memories"])
    return found


def _identity(concept: object) -> tuple[str, str]:
    fields: Mapping[str, str] = concept if isinstance(concept, dict) else {}
    return fields["kind"], fields.get("event") or text_key(fields["name"])


def _portraits(library: Library) -> dict[str, list[str]]:
    """By the key of a name: public ids of memories that show somebody, those with nobody else first."""
    found: dict[str, list[tuple[int, str]]] = {}
    for memory in library.memories.matching():
        for name in memory.people:
            found.setdefault(text_key(name), []).append((len(memory.people), memory.public_id))
    return {
        key: [public_id for _, public_id in sorted(held, key=lambda each: each[0])[:_PORTRAITS]]
        for key, held in found.items()
    }


def _element(
    parent: "ElementTree.Element[str]", tag: str, attributes: Mapping[str, str], values: Mapping[str, str]
) -> None:
    element = ElementTree.SubElement(parent, f"{{{_GRAPHML}}}{tag}", dict(attributes))
    for key, value in values.items():
        if value:
            data = ElementTree.SubElement(element, f"{{{_GRAPHML}}}data", {"key": f"{tag}_{key}"})
            data.text = _NOT_XML.sub(" ", printable(value))
