"""Finds memories by meaning, words, letters and exact filters."""
