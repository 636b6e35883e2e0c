"""Shows: the window, the command line, and the one place that builds everything."""
