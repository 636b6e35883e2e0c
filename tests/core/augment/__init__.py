"""Tests of the room that finds events and knowledge."""
