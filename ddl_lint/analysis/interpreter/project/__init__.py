"""The project as programs see it: its modules and their names, where programs begin, what is worth following."""
