"""Infers what nobody typed: moments, events and knowledge, and keeps the person's corrections on top."""
