"""Computes with neural networks: the catalogue of weights, their download, and one client for every role of `core.ports`."""
