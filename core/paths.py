"""Where Madeleine keeps its own things: one home folder, nothing anywhere else."""

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of one library: database, index, thumbnails, logs, models. Originals are never in it."""

    folder: Path

    @property
    def database(self) -> Path:
        """The SQLite file: the truth."""
        return self.folder / "madeleine.sqlite"

    @property
    def backups(self) -> Path:
        """Rolling copies of the database."""
        return self.folder / "backups"

    @property
    def vectors(self) -> Path:
        """Chroma's folder: an index that may be deleted at any time."""
        return self.folder / "vectors"

    @property
    def thumbnails(self) -> Path:
        """Small pictures, named by content hash."""
        return self.folder / "thumbnails"

    @property
    def logs(self) -> Path:
        """Log files; they hold no text of a memory."""
        return self.folder / "logs"

    @property
    def lock(self) -> Path:
        """Held by the one running Madeleine."""
        return self.folder / "lock"

    @property
    def settings(self) -> Path:
        """The person's settings."""
        return self.folder / "settings.toml"

    @property
    def models(self) -> Path:
        """Weights; `MADELEINE_MODELS` names another folder, so that several homes can share them."""
        shared = os.environ.get("MADELEINE_MODELS")
        return Path(shared) if shared else self.folder / "models"

    def create(self) -> None:
        """Make the folders, readable by their owner only."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for folder in (self.thumbnails, self.logs, self.backups):
            folder.mkdir(exist_ok=True)
        # Spotlight would index the index: screenpipe's users saw 190 % CPU (field notes, "Background load").
        (self.folder / ".metadata_never_index").touch()


def default_home() -> Path:
    """`MADELEINE_HOME`, else the platform's folder for application data."""
    named = os.environ.get("MADELEINE_HOME")
    return Path(named) if named else Path(platformdirs.user_data_dir("madeleine", appauthor=False))
