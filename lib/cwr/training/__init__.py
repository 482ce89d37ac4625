"""Training: what is fitted on the reader's own machine. It is scored in `measures`."""
