"""From a measure per item to an estimate with replicates, and what a notebook shows beside it."""
