"""The database's format, as a forward-only list of named steps; each runs in one transaction with its version number.

To change the format, append a function; never edit one that has been released. `tests/databases` holds one file per release.
"""

import json
import sqlite3
from collections.abc import Callable

_FIRST = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE roots (
  id TEXT PRIMARY KEY, path BLOB NOT NULL UNIQUE, online INTEGER NOT NULL DEFAULT 1, added_at TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE memories (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, public_id TEXT NOT NULL UNIQUE, content_key TEXT UNIQUE,
  kind TEXT NOT NULL DEFAULT 'photo',
  wall TEXT, day TEXT GENERATED ALWAYS AS (substr(wall, 1, 10)) STORED, utc_offset INTEGER,
  date_origin TEXT NOT NULL DEFAULT 'unknown', date_confidence REAL NOT NULL DEFAULT 0, day_only INTEGER NOT NULL DEFAULT 0,
  place TEXT, place_keys TEXT NOT NULL DEFAULT '', latitude REAL, longitude REAL,
  title TEXT NOT NULL DEFAULT '', caption TEXT NOT NULL DEFAULT '', visible_text TEXT NOT NULL DEFAULT '',
  speech TEXT NOT NULL DEFAULT '', favourite INTEGER NOT NULL DEFAULT 0, rating INTEGER, keywords TEXT NOT NULL DEFAULT '[]',
  document TEXT NOT NULL DEFAULT '{}', media TEXT NOT NULL DEFAULT '{}', file_name TEXT NOT NULL DEFAULT '',
  representative_id TEXT REFERENCES memories(id) ON DELETE SET NULL, fingerprint INTEGER,
  forgotten INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL);
CREATE INDEX memories_by_time ON memories(wall);
CREATE INDEX memories_by_day ON memories(day);

CREATE TABLE memory_places (
  memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE, level TEXT NOT NULL, value TEXT NOT NULL, key TEXT NOT NULL,
  PRIMARY KEY (memory_id, level)) WITHOUT ROWID;
CREATE INDEX memory_places_by_key ON memory_places(key);

CREATE TABLE memory_values (
  memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE, field TEXT NOT NULL, origin TEXT NOT NULL,
  value TEXT NOT NULL, confidence REAL NOT NULL DEFAULT 1, made_by TEXT NOT NULL DEFAULT '', model_revision TEXT NOT NULL DEFAULT '',
  prompt_version TEXT NOT NULL DEFAULT '', made_at TEXT NOT NULL,
  PRIMARY KEY (memory_id, field, origin)) WITHOUT ROWID;

CREATE TABLE contexts (
  memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE, kind TEXT NOT NULL, value TEXT NOT NULL, key TEXT NOT NULL,
  origin TEXT NOT NULL, confidence REAL NOT NULL DEFAULT 1, why TEXT NOT NULL DEFAULT '', made_by TEXT NOT NULL DEFAULT '',
  model_revision TEXT NOT NULL DEFAULT '', prompt_version TEXT NOT NULL DEFAULT '', made_at TEXT NOT NULL,
  PRIMARY KEY (memory_id, kind, key, origin)) WITHOUT ROWID;
CREATE INDEX contexts_by_key ON contexts(kind, key);

CREATE TABLE files (
  id TEXT PRIMARY KEY, root_id TEXT NOT NULL REFERENCES roots(id) ON DELETE CASCADE, path BLOB NOT NULL UNIQUE,
  memory_id TEXT REFERENCES memories(id) ON DELETE SET NULL, sha256 TEXT NOT NULL DEFAULT '', size_bytes INTEGER NOT NULL,
  modified_ns INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '', attempts INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE INDEX files_by_memory ON files(memory_id);
CREATE INDEX files_by_content ON files(sha256);

CREATE TABLE foreign_files (
  memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE, sha256 TEXT NOT NULL, name TEXT NOT NULL,
  size_bytes INTEGER NOT NULL, PRIMARY KEY (memory_id, sha256)) WITHOUT ROWID;

CREATE TABLE stages (
  memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE, stage TEXT NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL,
  reason TEXT NOT NULL DEFAULT '', attempts INTEGER NOT NULL DEFAULT 1, ignored INTEGER NOT NULL DEFAULT 0, made_at TEXT NOT NULL,
  PRIMARY KEY (memory_id, stage)) WITHOUT ROWID;

CREATE VIRTUAL TABLE memory_words USING fts5(
  names, caption, visible_text, speech, contexts, tokenize='porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE memory_letters USING fts5(text, tokenize='trigram');

CREATE TABLE moments (
  id TEXT PRIMARY KEY, started TEXT NOT NULL, ended TEXT NOT NULL, place TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE TABLE moment_members (
  memory_id TEXT PRIMARY KEY REFERENCES memories(id) ON DELETE CASCADE,
  moment_id TEXT NOT NULL REFERENCES moments(id) ON DELETE CASCADE) WITHOUT ROWID;
CREATE INDEX moment_members_by_moment ON moment_members(moment_id);

CREATE TABLE events (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL, started TEXT, ended TEXT, place TEXT NOT NULL DEFAULT '',
  summary TEXT NOT NULL DEFAULT '', importance INTEGER NOT NULL DEFAULT 1, parent_id TEXT REFERENCES events(id) ON DELETE SET NULL,
  status TEXT NOT NULL DEFAULT 'lived', confidence REAL NOT NULL DEFAULT 0.5, why TEXT NOT NULL DEFAULT '',
  made_by TEXT NOT NULL DEFAULT '', model_revision TEXT NOT NULL DEFAULT '', prompt_version TEXT NOT NULL DEFAULT '',
  made_at TEXT NOT NULL, corrected INTEGER NOT NULL DEFAULT 0, stale INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE event_members (
  event_id TEXT NOT NULL REFERENCES events(id) ON DELETE CASCADE, memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  PRIMARY KEY (event_id, memory_id)) WITHOUT ROWID;
CREATE INDEX event_members_by_memory ON event_members(memory_id);

CREATE TABLE knowledge (
  id TEXT PRIMARY KEY, statement TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL DEFAULT '', valid_from TEXT, valid_to TEXT,
  confidence REAL NOT NULL, state TEXT NOT NULL, why TEXT NOT NULL DEFAULT '', made_by TEXT NOT NULL DEFAULT '',
  model_revision TEXT NOT NULL DEFAULT '', prompt_version TEXT NOT NULL DEFAULT '', made_at TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE knowledge_evidence (
  knowledge_id TEXT NOT NULL REFERENCES knowledge(id) ON DELETE CASCADE, memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  rank INTEGER NOT NULL, PRIMARY KEY (knowledge_id, memory_id)) WITHOUT ROWID;

CREATE TABLE corrections (
  id TEXT PRIMARY KEY, seq INTEGER NOT NULL UNIQUE, target_kind TEXT NOT NULL, target_id TEXT NOT NULL, action TEXT NOT NULL,
  before TEXT NOT NULL DEFAULT '', after TEXT NOT NULL DEFAULT '', why TEXT NOT NULL DEFAULT '', made_at TEXT NOT NULL,
  undone_at TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE INDEX corrections_by_target ON corrections(target_kind, target_id);

CREATE TABLE nodes (id TEXT PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL, UNIQUE (kind, key)) WITHOUT ROWID;
CREATE TABLE edges (
  source_id TEXT NOT NULL REFERENCES nodes(id) ON DELETE CASCADE, relation TEXT NOT NULL,
  target_id TEXT NOT NULL REFERENCES nodes(id) ON DELETE CASCADE, memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  PRIMARY KEY (source_id, relation, target_id, memory_id)) WITHOUT ROWID;
CREATE INDEX edges_by_target ON edges(target_id);

CREATE TABLE vectors (
  text_hash TEXT NOT NULL, model_id TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (text_hash, model_id)) WITHOUT ROWID;
CREATE TABLE embedded (
  kind TEXT NOT NULL, owner_id TEXT NOT NULL, model_id TEXT NOT NULL, text_hash TEXT NOT NULL,
  PRIMARY KEY (kind, model_id, owner_id)) WITHOUT ROWID;

CREATE TABLE replies (
  key TEXT PRIMARY KEY, text TEXT NOT NULL, prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL,
  made_at TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE turns (
  seq INTEGER PRIMARY KEY, conversation_id TEXT NOT NULL, asked_at TEXT NOT NULL, question TEXT NOT NULL, query TEXT NOT NULL,
  answer TEXT NOT NULL);
CREATE INDEX turns_by_conversation ON turns(conversation_id);
"""


def word_indexes() -> list[str]:
    """The statements that create the word indexes: they are derived, so the doctor may build them anew."""
    return [statement for statement in _FIRST.split(";\n") if "USING fts5" in statement]


def m0001_first(connection: sqlite3.Connection) -> None:
    """Everything the first version stores."""
    for statement in _FIRST.split(";\n"):
        if statement.strip():
            connection.execute(statement)


_MANY_FILES = (
    "ALTER TABLE files ADD COLUMN role TEXT NOT NULL DEFAULT 'original'",
    "CREATE TABLE sidecars (memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE, path BLOB NOT NULL, "
    "folder BLOB NOT NULL, stamp TEXT NOT NULL, PRIMARY KEY (memory_id, path)) WITHOUT ROWID",
    "CREATE INDEX sidecars_by_folder ON sidecars(folder)",
    "CREATE TABLE sidecar_notes (path BLOB PRIMARY KEY, folder BLOB NOT NULL, reason TEXT NOT NULL, "
    "ignored INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID",
    "CREATE TABLE folders (path BLOB PRIMARY KEY, root_id TEXT NOT NULL REFERENCES roots(id) ON DELETE CASCADE, "
    "digest TEXT NOT NULL) WITHOUT ROWID",
)


def m0002_many_files(connection: sqlite3.Connection) -> None:
    """What each file is to its memory, the sidecars that describe it, and which folders were looked through for them."""
    for statement in _MANY_FILES:
        connection.execute(statement)


def m0003_many_notes(connection: sqlite3.Connection) -> None:
    """The memories of a file that holds many: the events of a calendar, the mails of a mailbox, the days of a chat."""
    connection.execute(
        "CREATE TABLE file_parts (file_id TEXT NOT NULL REFERENCES files(id) ON DELETE CASCADE, label TEXT NOT NULL, "
        "memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE, PRIMARY KEY (file_id, label)) WITHOUT ROWID"
    )
    connection.execute("CREATE INDEX file_parts_by_memory ON file_parts(memory_id)")


def m0004_private(connection: sqlite3.Connection) -> None:
    """Which memories are kept out of chat, or out of understanding, and by which privacy domain (no word of the person in it).

    `settled` is 0 until everything that was derived from the memory is gone.
    """
    connection.execute(
        "CREATE TABLE private (memory_id TEXT PRIMARY KEY REFERENCES memories(id) ON DELETE CASCADE, domain TEXT NOT NULL, "
        "level TEXT NOT NULL, settled INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID"
    )


_LIFE_GRAPH = (
    "CREATE TABLE new_nodes (id TEXT PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL, "
    "ref TEXT NOT NULL DEFAULT '', identity TEXT NOT NULL, UNIQUE (kind, identity)) WITHOUT ROWID",
    "CREATE TABLE new_edges (source_id TEXT NOT NULL REFERENCES new_nodes(id) ON DELETE CASCADE, relation TEXT NOT NULL, "
    "target_id TEXT NOT NULL REFERENCES new_nodes(id) ON DELETE CASCADE, "
    "memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE, attributes TEXT NOT NULL DEFAULT '', "
    "made_by TEXT NOT NULL DEFAULT 'rule', PRIMARY KEY (source_id, relation, target_id, memory_id)) WITHOUT ROWID",
    "INSERT INTO new_nodes SELECT id, kind, name, key, '', key FROM nodes",
    "INSERT INTO new_edges (source_id, relation, target_id, memory_id) SELECT source_id, relation, target_id, memory_id FROM edges",
    "DROP TABLE edges",
    "DROP TABLE nodes",
    "ALTER TABLE new_nodes RENAME TO nodes",
    "ALTER TABLE new_edges RENAME TO edges",
    "CREATE INDEX nodes_by_key ON nodes(key)",
    "CREATE INDEX edges_by_target ON edges(target_id)",
    "CREATE INDEX edges_by_memory ON edges(memory_id)",
    "CREATE TABLE told_relations (source_id TEXT NOT NULL REFERENCES nodes(id), relation TEXT NOT NULL, "
    "target_id TEXT NOT NULL REFERENCES nodes(id), holds INTEGER NOT NULL, attributes TEXT NOT NULL DEFAULT '', "
    "correction_id TEXT NOT NULL, PRIMARY KEY (source_id, relation, target_id)) WITHOUT ROWID",
    "CREATE INDEX told_relations_by_target ON told_relations(target_id)",
)


def m0005_life_graph(connection: sqlite3.Connection) -> None:
    """Further arguments and makers of relations, events told apart by their ids, and the relations that the person told."""
    for statement in _LIFE_GRAPH:
        connection.execute(statement)


_LOCAL_EVENTS = (
    "CREATE TABLE derived_events (id TEXT PRIMARY KEY, first_day TEXT NOT NULL, last_day TEXT NOT NULL, fields TEXT NOT NULL) "
    "WITHOUT ROWID",
    "CREATE INDEX derived_events_by_day ON derived_events(first_day, last_day)",
    "CREATE TABLE changed_days (reader TEXT NOT NULL, day TEXT NOT NULL, PRIMARY KEY (reader, day)) WITHOUT ROWID",
    "CREATE TABLE clocks (id TEXT PRIMARY KEY, camera TEXT NOT NULL, shift_s INTEGER, why TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE clock_members (clock_id TEXT NOT NULL REFERENCES clocks(id) ON DELETE CASCADE, "
    "memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE, PRIMARY KEY (clock_id, memory_id)) WITHOUT ROWID",
    "CREATE INDEX clock_members_by_memory ON clock_members(memory_id)",
    "ALTER TABLE corrections ADD COLUMN who TEXT NOT NULL DEFAULT ''",
    "CREATE TRIGGER memories_added AFTER INSERT ON memories BEGIN "
    "INSERT OR IGNORE INTO changed_days VALUES ('moments', coalesce(new.day, '')); END",
    "CREATE TRIGGER memories_gone AFTER DELETE ON memories BEGIN "
    "INSERT OR IGNORE INTO changed_days VALUES ('moments', coalesce(old.day, '')); END",
    "CREATE TRIGGER memories_changed AFTER UPDATE OF wall, date_confidence, day_only, place, title, caption, visible_text, speech, "
    "keywords, document, media, file_name, kind, forgotten ON memories BEGIN "
    "INSERT OR IGNORE INTO changed_days VALUES ('moments', coalesce(old.day, '')), ('moments', coalesce(new.day, '')); END",
    "CREATE TRIGGER contexts_added AFTER INSERT ON contexts BEGIN INSERT OR IGNORE INTO changed_days "
    "SELECT 'moments', coalesce(day, '') FROM memories WHERE id=new.memory_id; END",
    "CREATE TRIGGER contexts_gone AFTER DELETE ON contexts BEGIN INSERT OR IGNORE INTO changed_days "
    "SELECT 'moments', coalesce(day, '') FROM memories WHERE id=old.memory_id; END",
)


def m0006_local_events(connection: sqlite3.Connection) -> None:
    """Derived events one a row, the days on which memories changed, clocks that look wrong, and who made a correction."""
    for statement in _LOCAL_EVENTS:
        connection.execute(statement)
    note = connection.execute("SELECT value FROM meta WHERE key='derived_events'").fetchone()
    for fields in json.loads(note[0]) if note and note[0] else ():
        first, last = ((fields[edge] or "")[:10] for edge in ("start", "end"))
        text = json.dumps(fields, ensure_ascii=False)
        connection.execute("INSERT INTO derived_events VALUES (?,?,?,?)", (fields["id"], first, last, text))
    connection.execute("DELETE FROM meta WHERE key IN ('derived_events', 'moments_input', 'events_input')")


_PEOPLE = (
    "CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', kind TEXT NOT NULL DEFAULT 'person', "
    "favourite INTEGER NOT NULL DEFAULT 0, said INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID",
    "CREATE TABLE people_groups (person_id TEXT NOT NULL REFERENCES people(id) ON DELETE CASCADE, key TEXT NOT NULL, "
    "name TEXT NOT NULL, PRIMARY KEY (person_id, key)) WITHOUT ROWID",
    "CREATE TABLE faces (id TEXT PRIMARY KEY, memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE, "
    "x0 REAL NOT NULL, y0 REAL NOT NULL, x1 REAL NOT NULL, y1 REAL NOT NULL, confidence REAL NOT NULL, space TEXT NOT NULL, "
    "vector BLOB NOT NULL, person_id TEXT REFERENCES people(id) ON DELETE SET NULL, likeness REAL NOT NULL DEFAULT 0, "
    "by_person INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID",
    "CREATE INDEX faces_by_memory ON faces(memory_id)",
    "CREATE INDEX faces_by_person ON faces(person_id)",
    "CREATE TABLE face_marks (seq INTEGER PRIMARY KEY, memory_id TEXT NOT NULL REFERENCES memories(id) ON DELETE CASCADE, "
    "x0 REAL, y0 REAL, x1 REAL, y1 REAL, verdict TEXT NOT NULL, person_id TEXT REFERENCES people(id) ON DELETE CASCADE)",
    "CREATE INDEX face_marks_by_memory ON face_marks(memory_id)",
    "CREATE INDEX face_marks_by_person ON face_marks(person_id)",
)


def m0007_people(connection: sqlite3.Connection) -> None:
    """People and pets, their groups, the faces found, and what the person said about places in pictures."""
    for statement in _PEOPLE:
        connection.execute(statement)


def _noted(reader: str, memory_id: str) -> str:
    """The statement of a trigger; without OR IGNORE, which an upsert around the trigger would overrule."""
    known = f"SELECT 1 FROM changed_memories WHERE reader='{reader}' AND memory_id={memory_id}"
    return f"INSERT INTO changed_memories SELECT '{reader}', {memory_id} WHERE NOT EXISTS ({known}); "


def _noted_by_both(memory_id: str) -> str:
    return _noted("knowledge", memory_id) + _noted("graph", memory_id)


_CHANGED_MEMORIES = (
    "CREATE TABLE changed_memories (reader TEXT NOT NULL, memory_id TEXT NOT NULL, PRIMARY KEY (reader, memory_id)) WITHOUT ROWID",
    "CREATE TRIGGER read_added AFTER INSERT ON memories BEGIN " + _noted_by_both("new.id") + "END",
    "CREATE TRIGGER read_gone AFTER DELETE ON memories BEGIN " + _noted_by_both("old.id") + "END",
    "CREATE TRIGGER read_changed AFTER UPDATE OF wall, date_confidence, place, title, caption, visible_text, speech, document, forgotten "
    "ON memories WHEN old.wall IS NOT new.wall OR old.date_confidence<>new.date_confidence OR old.place IS NOT new.place "
    "OR old.title<>new.title OR old.caption<>new.caption OR old.visible_text<>new.visible_text OR old.speech<>new.speech "
    "OR old.document<>new.document OR old.forgotten<>new.forgotten BEGIN " + _noted_by_both("new.id") + "END",
    "CREATE TRIGGER read_context_added AFTER INSERT ON contexts BEGIN " + _noted_by_both("new.memory_id") + "END",
    "CREATE TRIGGER read_context_gone AFTER DELETE ON contexts BEGIN " + _noted_by_both("old.memory_id") + "END",
    "CREATE TRIGGER read_member_added AFTER INSERT ON event_members BEGIN " + _noted("graph", "new.memory_id") + "END",
    "CREATE TRIGGER read_member_gone AFTER DELETE ON event_members BEGIN " + _noted("graph", "old.memory_id") + "END",
    "CREATE TRIGGER read_event_changed AFTER UPDATE OF name, status, parent_id ON events "
    "WHEN old.name<>new.name OR old.status<>new.status OR old.parent_id IS NOT new.parent_id BEGIN "
    "INSERT INTO changed_memories SELECT DISTINCT 'graph', memory_id FROM event_members WHERE (event_id=new.id "
    "OR event_id IN (SELECT id FROM events WHERE parent_id=new.id)) AND memory_id NOT IN "
    "(SELECT memory_id FROM changed_memories WHERE reader='graph'); END",
)


def m0008_changed_memories(connection: sqlite3.Connection) -> None:
    """Which memories the graph and the statistics have not read since they changed."""
    for statement in _CHANGED_MEMORIES:
        connection.execute(statement)
    connection.execute("DELETE FROM meta WHERE key IN ('knowledge_input', 'graph_input')")


_RENAMED = "UPDATE names_version SET version=version+1; "
_NAMES_VERSION = (
    "CREATE TABLE names_version (version INTEGER NOT NULL)",
    "INSERT INTO names_version VALUES (1)",
    "CREATE INDEX memories_forgotten ON memories(id) WHERE forgotten=1",
    f"CREATE TRIGGER names_context_added AFTER INSERT ON contexts BEGIN {_RENAMED}END",
    f"CREATE TRIGGER names_context_gone AFTER DELETE ON contexts BEGIN {_RENAMED}END",
    f"CREATE TRIGGER names_place_added AFTER INSERT ON memory_places BEGIN {_RENAMED}END",
    f"CREATE TRIGGER names_place_gone AFTER DELETE ON memory_places BEGIN {_RENAMED}END",
    f"CREATE TRIGGER names_place_changed AFTER UPDATE ON memory_places BEGIN {_RENAMED}END",
    f"CREATE TRIGGER names_memory_forgotten AFTER UPDATE OF forgotten ON memories BEGIN {_RENAMED}END",
    f"CREATE TRIGGER names_hidden AFTER INSERT ON private BEGIN {_RENAMED}END",
    f"CREATE TRIGGER names_shown AFTER DELETE ON private BEGIN {_RENAMED}END",
)


def m0009_names_version(connection: sqlite3.Connection) -> None:
    """A number that grows whenever a name comes or goes, so that the names need not be counted again for every question."""
    for statement in _NAMES_VERSION:
        connection.execute(statement)


def m0010_left_over(connection: sqlite3.Connection) -> None:
    """By folder, how many files of an export have no details and how many sidecars belong to no file."""
    for column in ("bare", "orphans"):
        connection.execute(f"ALTER TABLE folders ADD COLUMN {column} INTEGER NOT NULL DEFAULT 0")
    connection.execute("CREATE INDEX sidecars_by_path ON sidecars(path)")


def m0011_problems(connection: sqlite3.Connection) -> None:
    """The few files and stages with a problem, so that the window need not look at all others to list them."""
    connection.execute("CREATE INDEX files_with_problems ON files(path) WHERE state IN ('unreadable', 'ignored')")
    connection.execute("CREATE INDEX stages_failed ON stages(ignored, memory_id) WHERE state='failed'")


ALL: tuple[Callable[[sqlite3.Connection], None], ...] = (
    m0001_first,
    m0002_many_files,
    m0003_many_notes,
    m0004_private,
    m0005_life_graph,
    m0006_local_events,
    m0007_people,
    m0008_changed_memories,
    m0009_names_version,
    m0010_left_over,
    m0011_problems,
)
LATEST = len(ALL)
