"""Tests of what decides."""
