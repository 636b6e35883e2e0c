"""What makes every test strict: nothing logged, started, left behind or looked up on the network without saying so."""
