"""Defines claims, predicates and checks of the five texts, and the registry of these texts."""
