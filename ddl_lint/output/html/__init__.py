"""What all pages have in common: the frame, the colours, source code, and texts that are only text."""
