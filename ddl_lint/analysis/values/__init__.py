"""Abstract values: what they are made of, how Python computes with them, what is certain of them."""
