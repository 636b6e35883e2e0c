"""The life graph: people, events, dates, locations, activities and objects, and how they relate."""
