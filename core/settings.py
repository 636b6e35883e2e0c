"""What the person may set, declared once."""
