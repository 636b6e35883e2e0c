"""Everything stored, opened together: one record that the rooms of the core are given."""

from dataclasses import dataclass, replace

from core.errors import StoreError
from core.paths import Home
from core.ports import VectorIndexes
from core.store.conversations import ConversationStore
from core.store.corrections import CorrectionStore
from core.store.database import Database
from core.store.derived import DerivedStore
from core.store.doubtful import DoubtfulStore
from core.store.embeddings import EmbeddingStore
from core.store.events import EventStore
from core.store.files import FileStore
from core.store.graph import GraphStore
from core.store.knowledge import KnowledgeStore
from core.store.memories import MemoryStore
from core.store.people import PeopleStore
from core.store.private import PrivateStore
from core.store.reconciled_indexes import ReconciledIndexes
from core.store.sidecars import SidecarStore
from core.store.stages import StageStore
from core.text_keys import printable


@dataclass(frozen=True, slots=True)
class Library:
    """The stores of one home and its vector indexes."""

    home: Home
    database: Database
    memories: MemoryStore
    private: PrivateStore
    files: FileStore
    sidecars: SidecarStore
    stages: StageStore
    events: EventStore
    knowledge: KnowledgeStore
    corrections: CorrectionStore
    doubtful: DoubtfulStore
    derived: DerivedStore
    graph: GraphStore
    people: PeopleStore
    conversations: ConversationStore
    embeddings: EmbeddingStore
    indexes: VectorIndexes

    def for_chat(self) -> "Library":
        """The library without the memories that are kept private: what questions, events and facts may draw from."""
        return replace(self, memories=self.memories.without_private())

    def close(self) -> None:
        """Let go of every file."""
        self.indexes.close()
        self.database.close()


def make_home(home: Home) -> None:
    """Make the folders of a home.

    Raises:
        StoreError: they cannot be made, or something else has their name.
    """
    try:
        home.create()
    except OSError as error:
        raise StoreError(
            f"The library in {printable(str(home.folder))} cannot be opened: "
            f"{printable(str(error.filename or home.folder))} cannot be made or written ({error.strerror}).",
            "Check that it may be written to, or choose another folder with --home.",
        ) from error


def open_library(home: Home, indexes: VectorIndexes) -> Library:
    """Open the stores of a home, creating them when new.

    Raises:
        StoreError: as `Database` says.
    """
    make_home(home)
    database = Database(home.database, home.backups)
    embeddings = EmbeddingStore(database)
    return Library(
        home,
        database,
        MemoryStore(database),
        PrivateStore(database),
        FileStore(database),
        SidecarStore(database),
        StageStore(database),
        EventStore(database),
        KnowledgeStore(database),
        CorrectionStore(database),
        DoubtfulStore(database),
        DerivedStore(database),
        GraphStore(database),
        PeopleStore(database),
        ConversationStore(database),
        embeddings,
        ReconciledIndexes(indexes, embeddings),
    )
