"""From a question to an answer whose every citation was retrieved."""
