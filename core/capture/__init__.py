"""From a file on disk to a captured memory."""
