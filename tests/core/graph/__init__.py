"""Tests of the life graph."""
