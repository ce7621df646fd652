"""Our own decks and the table world that pictures and rounds are rendered from."""
