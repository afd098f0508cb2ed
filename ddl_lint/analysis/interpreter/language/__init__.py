"""Python itself: how statements, expressions and calls are followed."""
