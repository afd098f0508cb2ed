"""What rules ask of a run that was followed."""
