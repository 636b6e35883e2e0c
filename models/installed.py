"""Which models of this computer play which role: the `core.ports.ModelSet` that the program works with."""

from functools import cached_property
from pathlib import Path

from core.errors import ModelNotInstalledError, RequestError
from core.ports import Captioner, ChatModel, Faces, ImageEmbedder, Scenes, TextEmbedder, TextReader, Transcriber
from models.catalogue import CatalogueEntry, Role, Runtime, load_catalogue
from models.faces import FACTORIES, FaceFinder
from models.host import Load, ModelHost
from models.image_embedder import OnnxImageEmbedder
from models.llama_chat import LlamaChat
from models.machine import total_ram_mb
from models.scenes import OnnxScenes
from models.text_embedder import OnnxTextEmbedder
from models.text_reader import RapidTextReader
from models.transcriber import WhisperTranscriber
from models.verified import VerifiedWeights
from models.vision_chat import LlamaCaptioner
from models.weights import file_path, installed_ids

AUTO = "auto"
NONE = "none"


class InstalledModels:
    """The installed models by role. Nothing is loaded and no process started before the first call.

    Args:
        models_dir: a folder of folders, one a model id.
        log_dir: where the children write their logs.
        chat: `auto` for the default of this machine, `none` for no language model, or the id of one.
        is_patient: a wish that cannot be met leaves its role empty and is a complaint, not an error: what the person set once must
            not keep the program from starting when the model is gone.
        captioner: likewise.
        gpu: which layers of language models go onto the graphics card (see the setting `gpu`).

    Raises:
        RequestError: `chat` or `captioner` names no model of that role; never when patient.
        ModelNotInstalledError: it names one that is not installed; likewise.
    """

    def __init__(
        self,
        models_dir: Path,
        log_dir: Path,
        chat: str | None = AUTO,
        captioner: str | None = AUTO,
        gpu: str = AUTO,
        *,
        is_patient: bool = False,
    ) -> None:
        self._is_patient = is_patient
        self._complaints: tuple[str, ...] = ()
        self._dir = models_dir
        self._wishes = (chat, captioner)
        self._gpu = gpu
        self._catalogue = load_catalogue()
        verified = VerifiedWeights(models_dir, log_dir, self._catalogue)
        self._host = ModelHost(log_dir, make_sure=verified.make_sure)
        self.look_again()

    def look_again(self) -> None:
        """Take in models that were installed or removed since; those at work are kept until they are asked for next."""
        chat, captioner = self._wishes
        self._installed = installed_ids(self._dir, self._catalogue)
        self._complaints = ()
        self._chat_entry = self._wished(Role.CHAT, chat)
        self._captioner_entry = self._wished(Role.CAPTIONER, captioner)
        for role in Role:
            self.__dict__.pop(role.value, None)  # what cached_property keeps

    def choose_chat(self, wish: str) -> None:
        """See `core.ports.ModelSet`."""
        self._installed = installed_ids(self._dir, self._catalogue)
        self._chosen(Role.CHAT, wish)  # raises before anything changes
        self._wishes = (wish, self._wishes[1])
        self.look_again()

    @property
    def complaints(self) -> tuple[str, ...]:
        """See `core.ports.ModelSet`."""
        return self._complaints

    @cached_property
    def chat(self) -> ChatModel | None:
        """The language model."""
        entry = self._chat_entry
        return LlamaChat(self._host, self._llama_load(entry), entry) if entry else None

    @cached_property
    def captioner(self) -> Captioner | None:
        """The vision-language model."""
        entry = self._captioner_entry
        return LlamaCaptioner(self._host, self._llama_load(entry), entry) if entry else None

    @cached_property
    def text_embedder(self) -> TextEmbedder | None:
        """The embedder of texts."""
        entry = self._default(Role.TEXT_EMBEDDER)
        return self._text_embedder(entry) if entry else None

    def former_text_embedder(self, space: str) -> TextEmbedder | None:
        """See `core.ports.ModelSet`."""
        for entry in self._catalogue.for_role(Role.TEXT_EMBEDDER):
            if entry.id in self._installed and space == f"{entry.id}@{entry.revision}":
                return self._text_embedder(entry)
        return None

    def _text_embedder(self, entry: CatalogueEntry) -> TextEmbedder:
        network, tokenizer = self._path(entry, "model.onnx"), self._path(entry, "tokenizer.json")
        load = Load(
            entry.id,
            Runtime.ONNX,
            "models.text_embedder:load",
            (entry.id, network, tokenizer, entry.context),
            entry.ram_mb,
            (network, tokenizer),
        )
        return OnnxTextEmbedder(self._host, load, entry)

    @cached_property
    def image_embedder(self) -> ImageEmbedder | None:
        """The embedder of pictures and of texts about them."""
        entry = self._default(Role.IMAGE_EMBEDDER)
        if entry is None:
            return None
        sees, reads = self._path(entry, "vision_model.onnx"), self._path(entry, "text_model.onnx")
        tokenizer = self._path(entry, "tokenizer.json")
        factory, ram_mb = "models.image_embedder:load", entry.ram_mb
        of_pictures = Load(entry.id, Runtime.ONNX, f"{factory}_pictures", (entry.id, sees), ram_mb, (sees,))
        of_text = Load(
            entry.id,
            Runtime.ONNX,
            f"{factory}_text",
            (entry.id, reads, tokenizer, entry.context),
            ram_mb,
            (reads, tokenizer),
        )
        return OnnxImageEmbedder(self._host, of_pictures, entry, of_text)

    @cached_property
    def text_reader(self) -> TextReader | None:
        """The reader of visible text."""
        entry = self._default(Role.TEXT_READER)
        if entry is None:
            return None
        paths = tuple(str(file_path(self._dir, entry, file)) for file in entry.files)
        load = Load(entry.id, entry.runtime, "models.text_reader:load", (entry.id, *paths), entry.ram_mb, paths)
        return RapidTextReader(self._host, load, entry)

    @cached_property
    def transcriber(self) -> Transcriber | None:
        """The model that writes down speech."""
        entry = self._default(Role.TRANSCRIBER)
        if entry is None:
            return None
        paths = tuple(str(file_path(self._dir, entry, file)) for file in entry.files)
        folder = str(self._dir / entry.id)
        load = Load(entry.id, entry.runtime, "models.transcriber:load", (entry.id, folder), entry.ram_mb, paths)
        return WhisperTranscriber(self._host, load, entry)

    @cached_property
    def faces(self) -> Faces | None:
        """The model that finds faces and tells them apart."""
        entry = self._default(Role.FACES)
        if entry is None:
            return None
        paths = tuple(str(file_path(self._dir, entry, file)) for file in entry.files)
        factory = FACTORIES[entry.runtime]
        return FaceFinder(
            self._host, Load(entry.id, entry.runtime, factory, (entry.id, *paths), entry.ram_mb, paths), entry
        )

    @cached_property
    def scenes(self) -> Scenes | None:
        """The model that says what a picture shows."""
        entry = self._default(Role.SCENES)
        if entry is None:
            return None
        path = str(file_path(self._dir, entry, entry.files[0]))
        load = Load(entry.id, entry.runtime, "models.scenes:load", (entry.id, path), entry.ram_mb, (path,))
        return OnnxScenes(self._host, load, entry)

    def pids(self) -> dict[Runtime, int]:
        """The children that run now."""
        return self._host.pids()

    def close(self) -> None:
        """End every child process."""
        self._host.close()

    def _default(self, role: Role) -> CatalogueEntry | None:
        return self._catalogue.default(role, self._installed, total_ram_mb())

    def _wished(self, role: Role, wish: str | None) -> CatalogueEntry | None:
        try:
            return self._chosen(role, wish)
        except (RequestError, ModelNotInstalledError) as error:
            if not self._is_patient:
                raise
            named = f"The chosen {role.value.replace('_', ' ')} model is not used: {error.message}"
            self._complaints = (*self._complaints, f"{named} Choose another one under Models, or get it there.")
            return None

    def _chosen(self, role: Role, wish: str | None) -> CatalogueEntry | None:
        if wish is None or wish == NONE:
            return None
        if wish == AUTO:
            return self._default(role)
        entry = self._catalogue.get(wish)
        if role not in entry.roles:
            able = ", ".join(other.id for other in self._catalogue.for_role(role))
            raise RequestError(f"The model {wish} cannot be used as {role.value}.", f"Models that can: {able}.")
        if wish not in self._installed:
            raise ModelNotInstalledError(f"The model {wish} is not installed.", f"Run: madeleine models get {wish}")
        return entry

    def _llama_load(self, entry: CatalogueEntry) -> Load:
        """One load for both roles of a model: asking it a question after a caption loads nothing."""
        files: tuple[str, ...] = (self._path(entry, "model.gguf"),)
        factory = "models.llama_service:load"
        if entry.file("mmproj.gguf") is not None:
            files = (*files, self._path(entry, "mmproj.gguf"))
            factory = "models.vision_service:load"
        return Load(entry.id, Runtime.LLAMA, factory, (entry.id, *files, entry.context, self._gpu), entry.ram_mb, files)

    def _path(self, entry: CatalogueEntry, name: str) -> str:
        file = entry.file(name)
        if file is None:
            raise ModelNotInstalledError(f"The model {entry.id} has no file {name}.", "Install Madeleine again.")
        return str(file_path(self._dir, entry, file))
