"""One module a paper: its claims; `claims` says what a claim is, `published` loads the printed numbers."""
