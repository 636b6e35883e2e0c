"""Whole journeys: the program as a person or a script starts it, in processes of its own."""
