"""Pixels to observations: knows what a card looks like, and no rule of any game."""
