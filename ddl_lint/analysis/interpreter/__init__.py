"""Follows a program with abstract values and writes down its events. It knows no rule and no question of one."""
