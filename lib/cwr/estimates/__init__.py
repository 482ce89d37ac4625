"""Turns a measure per item into an estimate with replicates, and the tables shown beside it."""
