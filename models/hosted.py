"""What every role's client has: the host that runs its weights in a child process, and what it says about itself."""

from dataclasses import dataclass

from models.catalogue import CatalogueEntry
from models.host import Load, ModelHost


@dataclass(frozen=True, slots=True)
class HostedModel:
    """The parent's side of a model; a role adds the calls of its port (see `core.ports`)."""

    host: ModelHost
    load: Load
    entry: CatalogueEntry

    @property
    def model_id(self) -> str:
        """The catalogue's id."""
        return self.entry.id

    @property
    def revision(self) -> str:
        """The pinned weights."""
        return self.entry.revision
