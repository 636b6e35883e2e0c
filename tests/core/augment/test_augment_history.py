"""Is everything that the person said told in words they understand?"""

import json

import pytest

from core.augment.history import history
from core.records import Correction


def told(target_kind: str, action: str, before: object = None, after: object = None) -> str:
    texts = [json.dumps(each) if each else "" for each in (before, after)]
    [change] = history(
        [Correction(id="c1", target_kind=target_kind, target_id="x", action=action, before=texts[0], after=texts[1])]
    )
    return change.what


SISTER = {"source": ["PersonAnimal", "Mara", ""], "relation": "sister", "target": ["PersonAnimal", "Nina", ""]}
ONE, TWO = [{"memory": "m1", "box": None}], [{"memory": "m1", "box": None}, {"memory": "m2", "box": None}]


@pytest.mark.parametrize(
    ("kind", "action", "before", "after", "said"),
    [
        ("relation", "relate", None, SISTER, "Said: Mara – sister – Nina"),
        ("relation", "unrelate", SISTER, None, "Said that it is not so: Mara – sister – Nina"),
        ("relation", "fix", SISTER, SISTER | {"relation": "aunt"}, "Put right: Mara – sister – Nina is aunt"),
        ("person", "name", {"faces": ONE}, {"name": "Nina", "faces": ONE}, "Named somebody Nina"),
        ("person", "merge", {"faces": ONE}, {"other_id": "p2"}, "Made one of two people"),
        ("person", "split", {"faces": TWO}, {"name": "", "faces": TWO}, "Told 2 faces apart as another person"),
        ("person", "assign", {"faces": ONE}, {"faces": ONE}, "Said whose 1 face is"),
        ("person", "not_this", {"faces": TWO}, {"faces": TWO}, "Said of 2 faces that they are somebody else's"),
        ("person", "not_a_face", {"faces": ONE}, {"faces": ONE}, "Said of 1 face that it is none"),
        ("person", "group", {"faces": []}, {"group": "choir"}, "Put somebody into the group choir"),
        ("person", "ungroup", {"faces": []}, {"group": "choir"}, "Took somebody out of the group choir"),
        ("person", "favourite", {"faces": []}, {"favourite": False}, "Made somebody no favourite"),
        ("person", "kind", {"faces": []}, {"kind": "pet"}, "Said that somebody is a pet"),
        ("person", "import", {"faces": []}, {"name": "Rex", "faces": ONE}, "Named Rex by hand or from a file"),
        ("privacy", "private", None, {"level": "chat"}, "Kept a memory out of chat"),
        ("privacy", "private", None, {"level": "none"}, "Said that a memory is not private"),
    ],
)
def test_each_word_about_people_and_relations_is_told_in_words(
    kind: str, action: str, before: object, after: object, said: str
) -> None:
    assert told(kind, action, before, after) == said


def test_a_word_whose_content_was_forgotten_is_still_told_to_have_been() -> None:
    assert told("relation", "relate") == "Relate relation"
