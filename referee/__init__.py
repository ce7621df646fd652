"""The games: cards, table state, legality, rulings and scoring. Standard library only, pure."""
