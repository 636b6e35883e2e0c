"""Decides: what a memory is, what belongs together, what an answer may say. Knows no screen and no model runtime."""
