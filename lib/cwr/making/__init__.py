"""Trains our small models and count models as their rivals, ships them, and writes their cards.

Modules that read a shipped model are in `encoders`.
"""
