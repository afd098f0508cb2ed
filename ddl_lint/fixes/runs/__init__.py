"""What fixes ask of the followed runs: files, the way to an event, epoch loops, what is taken for granted."""
