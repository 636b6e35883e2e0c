"""The window on a real engine, without a screen."""
