"""The one door to the core: what the window and the command line may ask for."""
