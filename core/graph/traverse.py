"""What is connected with a name, directly and over a few steps? Walks the stored graph by index."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.records import Attributes, Edge, Node
from core.store.library import Library

_WIDTH, _DEPTH = 4, 2
_EDGES_READ = 60


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A concept beside another: how they relate, and the memories that say so.

    Attributes:
        outward: the relation begins at the name asked for.
        attributes: further arguments of the relation (attendees, objects, place).
        made_by: `rule`, `person`, or the model that read it.
    """

    node: Node
    relation: str
    memory_ids: tuple[str, ...]
    outward: bool
    attributes: Attributes = ()
    made_by: str = "rule"


@dataclass(frozen=True, slots=True)
class Path:
    """A walk from a named concept: each step is a relation and where it led; the score falls with every weak step."""

    start: Node
    steps: tuple[Neighbour, ...]
    score: float

    @property
    def end(self) -> Node:
        """Where the walk is now."""
        return self.steps[-1].node if self.steps else self.start

    @property
    def memory_ids(self) -> tuple[str, ...]:
        """The memories the walk rests on."""
        return tuple(dict.fromkeys(memory for step in self.steps for memory in step.memory_ids))


Judge = Callable[[Sequence[Path]], Sequence[float]]
"""Rates all candidate paths of a round together, each 0 to 1: the joint pruning of relation and concept (LifeGraph, 4.3)."""
Enough = Callable[[Sequence[Path]], bool]
"""Whether the paths kept so far answer the question."""


def neighbours(library: Library, name: str, kind: str | None = None, limit: int = 20) -> list[Neighbour]:
    """What a name is directly connected with, the person's word first, then the most seen; empty for an unknown name.

    Args:
        kind: only neighbours of this node type (PersonAnimal, Event, Date, Location, Activity, Object).
    """
    found = [each for node in library.graph.find(name) for each in _beside(library, node)]
    wanted = [each for each in found if kind is None or each.node.kind == kind]
    ranked = sorted(
        wanted,
        key=lambda each: (each.made_by != "person", -len(each.memory_ids), each.relation, each.node.name, each.node.id),
    )
    return ranked[:limit]


def walk(
    library: Library,
    names: Sequence[str],
    *,
    width: int = _WIDTH,
    depth: int = _DEPTH,
    judge: Judge | None = None,
    enough: Enough = lambda paths: False,
) -> list[Path]:
    """The best walks from these names: at every round the `width` best go on (beam search); the best first.

    A step is as strong as its share of the memories at the node it leaves, so that a hub does not drown the rest.

    Args:
        judge: rates the paths that a round could keep; without it the strongest are kept.
        enough: asked after every round; the walk ends where it says so.
    """
    beam = [Path(node, (), 1.0) for name in dict.fromkeys(names) for node in library.graph.find(name)]
    found: list[Path] = []
    for _ in range(depth):
        grown = [longer for path in beam for longer in _grown(library, path)]
        beam = _judged(grown, judge)[:width]
        found += beam
        if not beam or enough(found):
            break
    return sorted(found, key=lambda path: (-path.score, path.end.name))


def _judged(grown: Sequence[Path], judge: Judge | None) -> list[Path]:
    ranked = sorted(grown, key=lambda path: (-path.score, path.end.name, path.end.id))
    if judge is None or not ranked:
        return ranked
    rated = zip(judge(ranked), ranked, strict=True)
    paths = [Path(path.start, path.steps, min(1.0, 0.1 * path.score + 0.9 * rate)) for rate, path in rated]
    return sorted(paths, key=lambda path: (-path.score, path.end.name, path.end.id))


def _grown(library: Library, path: Path) -> list[Path]:
    been = {path.start.id, *(step.node.id for step in path.steps)}
    beside = [each for each in _beside(library, path.end) if each.node.id not in been]
    most = max((len(each.memory_ids) for each in beside), default=0)
    return [Path(path.start, (*path.steps, each), path.score * _weight(each) / (most + 2)) for each in beside]


def _weight(neighbour: Neighbour) -> int:
    """The memories that say so; the person's word counts as one more."""
    return len(neighbour.memory_ids) + (neighbour.made_by == "person")


def _beside(library: Library, node: Node) -> list[Neighbour]:
    edges = library.graph.edges_at(node.id)[:_EDGES_READ]
    known = library.graph.nodes([_far_end(edge, node.id) for edge in edges])
    return [
        Neighbour(known[far], edge.relation, edge.memory_ids, edge.source_id == node.id, edge.attributes, edge.made_by)
        for edge in edges
        if (far := _far_end(edge, node.id)) in known and far != node.id
    ]


def _far_end(edge: Edge, node_id: str) -> str:
    return edge.target_id if edge.source_id == node_id else edge.source_id
