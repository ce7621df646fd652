"""Sound to calls: hears an enrolled word with a probability, and never decides that a round is over."""
