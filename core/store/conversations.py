"""Questions asked and answers given, so that a follow-up can inherit and the person can look back."""

from dataclasses import dataclass

from core.store import rows
from core.store.database import Database
from core.text_keys import text_key


@dataclass(frozen=True, slots=True)
class Turn:
    """One question with its augmented query and its answer, both as JSON."""

    conversation_id: str
    asked_at: str
    question: str
    query: str
    answer: str


class ConversationStore:
    """Reads and writes turns."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self) -> str:
        """The id of a new conversation."""
        return rows.new_id()

    def add(self, conversation_id: str, question: str, query: str, answer: str) -> None:
        """Append a turn."""
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO turns (conversation_id, asked_at, question, query, answer) VALUES (?,?,?,?,?)",
                (conversation_id, rows.now(), question, query, answer),
            )

    def turns(self, conversation_id: str) -> list[Turn]:
        """The turns of a conversation in order."""
        cursor = self._database.read().execute(
            "SELECT conversation_id, asked_at, question, query, answer FROM turns WHERE conversation_id=? ORDER BY seq",
            (conversation_id,),
        )
        return [Turn(*row) for row in cursor]

    def recent(self, limit: int = 50) -> list[Turn]:
        """The latest turns of all conversations, newest first."""
        cursor = self._database.read().execute(
            "SELECT conversation_id, asked_at, question, query, answer FROM turns ORDER BY seq DESC LIMIT ?", (limit,)
        )
        return [Turn(*row) for row in cursor]

    def forget_name(self, name: str) -> None:
        """Remove the turns that say a name, and every remembered reply of a model: any of them may say it."""
        key = text_key(name)
        with self._database.write() as connection:
            rows_found = connection.execute("SELECT seq, question, query, answer FROM turns").fetchall()
            saying = [(row["seq"],) for row in rows_found if key in text_key(" ".join(row[1:]))]
            connection.executemany("DELETE FROM turns WHERE seq=?", saying)
            connection.execute("DELETE FROM replies")
