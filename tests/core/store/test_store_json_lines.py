"""What may an export replace on the person's disk?"""

import os
from pathlib import Path

import pytest

from core.errors import StoreError
from core.store.json_lines import write_json_lines


class TestWhatAnExportMayReplace:
    """Only an earlier export: never a picture, a database or a device."""

    @pytest.mark.parametrize("content", [b"\xff\xd8\xff picture", b"SQLite format 3\x00", b"plain text"])
    def test_another_file_is_left_as_it_is(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "mine.jpg"
        path.write_bytes(content)
        with pytest.raises(StoreError, match="no earlier export"):
            write_json_lines(path, [{"id": 1}])
        assert path.read_bytes() == content
        assert [each.name for each in tmp_path.iterdir()] == ["mine.jpg"]

    def test_what_is_no_file_is_left_as_it_is(self, tmp_path: Path) -> None:
        pipe, folder, link = tmp_path / "pipe", tmp_path / "folder", tmp_path / "link"
        os.mkfifo(pipe)
        folder.mkdir()
        link.symlink_to(tmp_path / "nowhere")
        for path in (pipe, folder, link):
            with pytest.raises(StoreError, match="no earlier export"):
                write_json_lines(path, [{"id": 1}])
        assert pipe.is_fifo()
        assert folder.is_dir()
        assert link.is_symlink()

    @pytest.mark.parametrize("content", [b"", b'{"id": 0}\n'])
    def test_an_earlier_export_is_replaced(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "x.jsonl"
        path.write_bytes(content)
        assert write_json_lines(path, [{"id": 1}]) == 1
        assert path.read_text() == '{"id": 1}\n'
