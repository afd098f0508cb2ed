"""Pages about rules, and the documentation that is made of them."""
