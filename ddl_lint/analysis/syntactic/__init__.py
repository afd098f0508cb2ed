"""What the text of a program says, whatever its names mean: never a proof."""
