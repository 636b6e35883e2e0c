"""Turns the source tree into something to install: system packages, the frozen bundle, its licences and its checks."""
