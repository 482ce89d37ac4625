"""Trains models on the reader's own machine. The package `measures` scores them."""
