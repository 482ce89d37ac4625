"""The texts, a folder each: its claims and all that only its notebooks reach."""
