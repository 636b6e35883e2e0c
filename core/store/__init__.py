"""SQLite, the truth, and the vector index beside it; nothing else in the program knows either."""
