"""Opens Chroma's folder in a child process, because a damaged one crashes whoever opens it."""

from pathlib import Path

import numpy as np

from core.child import ChildLink
from core.store.chroma_index import open_client

_PAGE = 2_000


class Probe:
    """The service of the child."""

    def __init__(self, link: ChildLink, folder: Path) -> None:
        self._folder = folder

    def check(self) -> str:
        """What is wrong; empty when every record has its vector and a search comes back. May crash."""
        client = open_client(self._folder)
        try:
            for collection in client.list_collections():
                ids = collection.get(include=[])["ids"]
                for start in range(0, len(ids), _PAGE):
                    page = collection.get(ids=ids[start : start + _PAGE], include=["embeddings"])
                    vectors = np.asarray(page["embeddings"])
                    if len(vectors) != len(page["ids"]):
                        return f"{collection.name} has {len(page['ids'])} ids and {len(vectors)} vectors"
                    if start == 0:
                        collection.query(query_embeddings=vectors[:1], n_results=1)
        finally:
            client.close()
        return ""
