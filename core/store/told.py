"""What did the person tell of relations? Reads it from the standing corrections and lays it over the graph."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from core.records import Concept, Correction, ToldRelation
from core.store.corrections import CorrectionStore
from core.store.graph import KINDS, PERSON, GraphStore, attributes_of

RELATION = "relation"
"""The target kind of corrections about relations."""
RELATE, UNRELATE, FIX = "relate", "unrelate", "fix"


ME = "Me"
"""Whose library it is, in a relation that was told before their name was."""


def show_told(
    corrections: CorrectionStore, graph: GraphStore, owner: str, named: Callable[[str], str] = lambda person_id: ""
) -> None:
    """Lay everything the person told and did not take back over the graph.

    Args:
        named: the present name of a person of the People screen by id; empty for an id that is gone.
    """

    def present(concept: Concept) -> Concept:
        if concept.kind != PERSON:
            return concept
        name = (named(concept.ref) if concept.ref else "") or concept.name
        return Concept(PERSON, owner if owner and name == ME else name)

    graph.tell(
        replace(each, source=present(each.source), target=present(each.target))
        for correction in corrections.standing(RELATION)
        for each in told_by(correction)
    )


def told_by(correction: Correction) -> list[ToldRelation]:
    """What one correction says; a fix says that one relation is not so and that another is.

    Raises:
        ValueError, KeyError, TypeError: it is none that this version writes.
    """
    found = []
    if correction.action in (UNRELATE, FIX):
        found.append(_told(correction.before, False, correction.id))
    if correction.action in (RELATE, FIX):
        found.append(_told(correction.after, True, correction.id))
    if not found:
        raise ValueError(correction.action)
    return found


def told_text(told: ToldRelation) -> str:
    """A relation as a correction keeps it."""
    return json.dumps(
        {
            "source": [told.source.kind, told.source.name, told.source.ref],
            "relation": told.relation,
            "target": [told.target.kind, told.target.name, told.target.ref],
            "attributes": [[role, list(values)] for role, values in told.attributes],
        },
        ensure_ascii=False,
    )


def _told(text: str, holds: bool, correction_id: str) -> ToldRelation:
    fields = json.loads(text)
    attributes = attributes_of(json.dumps(fields.get("attributes", [])))
    if not all(isinstance(word, str) for role, values in attributes for word in (role, *values)):
        raise TypeError("attributes")
    relation = fields["relation"]
    if not isinstance(relation, str) or not relation.strip():
        raise TypeError("relation")
    return ToldRelation(
        source=_concept(fields, "source"),
        relation=relation,
        target=_concept(fields, "target"),
        holds=holds,
        attributes=attributes,
        correction_id=correction_id,
    )


def _concept(fields: Mapping[str, Any], end: str) -> Concept:  # Any: JSON, checked here
    kind, name, ref = fields[end]
    if kind not in KINDS or not isinstance(name, str) or not isinstance(ref, str) or not name.strip():
        raise ValueError(end)
    return Concept(kind, name, ref)
