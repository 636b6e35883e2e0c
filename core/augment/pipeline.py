"""In which order do memories become moments, events, knowledge and the graph? Each stage skips what has not changed."""

from core.augment import events_stage, graph_stage, knowledge_stage, moments_stage
from core.jobs import Steps
from core.ports import Interrupted, ModelSet
from core.records import Stage
from core.store.library import Library

_ORDER = (Stage.MOMENTS, Stage.EVENTS, Stage.KNOWLEDGE, Stage.GRAPH)


def augment(library: Library, models: ModelSet, until: Stage, interrupted: Interrupted) -> Steps:
    """Bring moments, events, knowledge and graph up to date, up to a stage; safe to stop at any yield and to start again."""
    for stage in _ORDER[: _ORDER.index(until) + 1] if until in _ORDER else ():
        if stage is Stage.MOMENTS:
            yield from moments_stage.bring_up_to_date(library)
        elif stage is Stage.EVENTS:
            yield from events_stage.bring_up_to_date(library, models, interrupted)
        elif stage is Stage.KNOWLEDGE:
            yield from knowledge_stage.bring_up_to_date(library, models, interrupted)
        else:
            yield from graph_stage.bring_up_to_date(library, models, interrupted)
