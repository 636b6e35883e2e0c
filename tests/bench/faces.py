"""How well are faces grouped, beside joining every pair above one threshold? And how many faces are found in given pictures?

No labelled set of faces is at hand: the embeddings are generated (people, lookalikes, drift over years, outliers), with the spread of
the published verification figures, and of the pictures only the number of faces found is told, for a person to judge.

    python -m tests.bench.faces [--pictures FOLDER] [--models DIR] [--json OUT]
"""

import argparse
import json
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.capture.face_groups import GroupFace, grouped

SAME_AT = 0.363
"""SFace's documented threshold for a pair."""
_DIMENSIONS = 128
_NOISE = (0.6, 1.3)
"""How far a face is from its person: cosines of 0.37 to 0.74 between two of one person."""


@dataclass(frozen=True, slots=True)
class World:
    """Generated faces and whose they are; -1 for a stranger who is seen once."""

    faces: list[GroupFace]
    vectors: np.ndarray
    owners: np.ndarray


def main() -> None:
    """Print the table; write it as JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pictures", type=Path, action="append", default=[], help="folders whose faces are counted")
    parser.add_argument("--models", type=Path, help="where the weights are, for --pictures")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    result = {"grouping": _grouping(options.seeds)}
    if options.pictures and options.models:
        result["found"] = _found(options.pictures, options.models)
    if options.json:
        options.json.write_text(json.dumps(result, indent=1), "utf-8")


def a_world(
    seed: int, *, people: int = 12, lookalikes: int = 0, drift: float = 0.0, outliers: int = 0, years: int = 10
) -> World:
    """Faces of people over years.

    Args:
        lookalikes: so many of the people are a sibling of another: a cosine of 0.6 to them, before the noise.
        drift: how far a person is after ten years from who they were, as a share of a whole other person.
        outliers: strangers, seen once each, and faces too blurred to tell.
    """
    random = np.random.default_rng(seed)
    bases = _unit(random.normal(size=(people, _DIMENSIONS)))
    for number in range(lookalikes):
        other = bases[people - 1 - number]
        other -= (other @ bases[number]) * bases[number]
        bases[people - 1 - number] = 0.6 * bases[number] + np.sqrt(1 - 0.6**2) * _unit(other)
    ends = _unit(random.normal(size=(people, _DIMENSIONS)))
    faces, rows, owners = [], [], []
    for person in range(people):
        for _ in range(int(random.integers(15, 80))):
            when = float(random.uniform(0, years))
            middle = _unit((1 - drift * when / 10) * bases[person] + drift * when / 10 * ends[person])
            rows.append(_seen(random, middle))
            faces.append(GroupFace(f"f{len(faces)}", f"m{random.integers(0, 10**9)}", when))
            owners.append(person)
    for _ in range(outliers):
        rows.append(_unit(random.normal(size=_DIMENSIONS)))
        faces.append(GroupFace(f"f{len(faces)}", f"m{random.integers(0, 10**9)}", float(random.uniform(0, years))))
        owners.append(-1)
    return World(faces, np.stack(rows).astype(np.float32), np.array(owners))


WORLDS = {
    "people": {},
    "lookalikes": {"lookalikes": 5},
    "drift over ten years": {"drift": 0.75},
    "outliers": {"outliers": 150},
    "all of it": {"lookalikes": 4, "drift": 0.6, "outliers": 150},
}


def ours(world: World, batches: int = 1) -> np.ndarray:
    """Our groups; with several batches the faces arrive in them, in time order, as in a growing library."""
    found: dict[str, str] = {}
    order = sorted(range(len(world.faces)), key=lambda number: world.faces[number].years or 0.0)
    numbers = iter(range(10**6))
    for batch in range(1, batches + 1):
        here = order[: len(order) * batch // batches]
        faces = [
            GroupFace(face.id, face.picture, face.years, found.get(face.id))
            for face in (world.faces[number] for number in here)
        ]
        new_ids = (f"p{number}" for number in numbers)
        joined = grouped(faces, world.vectors[here], SAME_AT, frozenset(), new_ids)
        found |= {face_id: each.person_id for face_id, each in joined.items()}
    names = {person: number for number, person in enumerate(sorted(set(found.values())))}
    return np.array([names[found[face.id]] if face.id in found else -1 for face in world.faces])


def floor(world: World, threshold: float) -> np.ndarray:
    """Every pair above one threshold is one person (connected components; DBSCAN with two neighbours is the same)."""
    similar = world.vectors @ world.vectors.T >= threshold
    labels = np.full(len(world.faces), -1)
    for start in range(len(labels)):
        if labels[start] >= 0 or similar[start].sum() < 2:
            continue
        open_ends = [start]
        while open_ends:
            face = open_ends.pop()
            if labels[face] < 0:
                labels[face] = start
                open_ends.extend(np.flatnonzero(similar[face] & (labels < 0)))
    return labels


def pair_f1(owners: np.ndarray, labels: np.ndarray) -> tuple[float, float, float]:
    """Precision, recall and F1 over pairs of faces; a stranger shares no person with anybody, nor does an ungrouped face."""
    same = (owners[:, None] == owners[None]) & (owners >= 0)[:, None]
    said = (labels[:, None] == labels[None]) & (labels >= 0)[:, None]
    upper = np.triu(np.ones_like(same, dtype=bool), 1)
    hits = float((same & said & upper).sum())
    precision = hits / max(1.0, float((said & upper).sum()))
    recall = hits / max(1.0, float((same & upper).sum()))
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def _grouping(seeds: int) -> list[dict[str, object]]:
    print(f"pair F1 (precision, recall), mean of {seeds} generated libraries; threshold of a pair {SAME_AT}")
    table: list[dict[str, object]] = []
    for name, options in WORLDS.items():
        worlds = [a_world(seed, **options) for seed in range(seeds)]  # type: ignore[arg-type]  # named numbers
        best = _best_threshold(worlds)
        row: dict[str, object] = {"world": name, "faces": sum(len(world.faces) for world in worlds)}
        for method, label in (
            (ours, "ours"),
            (lambda world: ours(world, 12), "ours, in 12 batches"),
            (lambda world: floor(world, SAME_AT), "one threshold (model's)"),
            (lambda world, at=best: floor(world, at), "one threshold (best for this world)"),
        ):
            started = time.perf_counter()
            scores = np.array([pair_f1(world.owners, method(world)) for world in worlds]).mean(axis=0)
            row[label] = [round(float(score), 3) for score in scores]
            print(
                f"  {name:22} {label:36} F1 {scores[2]:.3f} ({scores[0]:.3f}, {scores[1]:.3f})  {time.perf_counter() - started:.1f} s"
            )
        table.append(row)
    return table


def _best_threshold(worlds: list[World]) -> float:
    """The threshold that suits this world best: nobody has it beforehand, so this floor is flattered."""
    tried = np.arange(0.30, 0.80, 0.02)
    means = [np.mean([pair_f1(world.owners, floor(world, each))[2] for world in worlds[:2]]) for each in tried]
    return float(tried[int(np.argmax(means))])


def _found(folders: list[Path], models_dir: Path) -> list[dict[str, object]]:
    """How many faces are found in each picture that has any, and how long a picture takes."""
    from core.capture.decode import Decoder
    from core.errors import PhotoError
    from models.installed import InstalledModels

    models, decoder = InstalledModels(models_dir, Path(tempfile.mkdtemp())), Decoder()
    table: list[dict[str, object]] = []
    if models.faces is None:
        print("no face model is installed")
        return table
    seconds, pictures = 0.0, 0
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.is_file()):
        try:
            picture = decoder.picture(str(path), 1280)
        except PhotoError:
            continue
        started = time.perf_counter()
        faces = models.faces.find(picture)
        seconds, pictures = seconds + time.perf_counter() - started, pictures + 1
        if faces:
            print(
                f"  {path.name}: {len(faces)} faces, confidence {', '.join(f'{face.confidence:.2f}' for face in faces)}"
            )
            table.append({"picture": path.name, "faces": len(faces)})
    print(
        f"{models.faces.model_id}: faces in {len(table)} of {pictures} pictures, {seconds / max(1, pictures):.2f} s a picture; unlabelled"
    )
    models.close()
    decoder.close()
    return table


def _seen(random: np.random.Generator, middle: np.ndarray) -> np.ndarray:
    noise = random.normal(size=_DIMENSIONS)
    return _unit(middle + float(random.uniform(*_NOISE)) * noise / np.linalg.norm(noise))


def _unit(rows: np.ndarray) -> np.ndarray:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))


if __name__ == "__main__":
    sys.exit(main())
