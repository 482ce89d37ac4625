"""Trains our small models and their rivals, count models; ships them and writes their cards.

`encoders` has the modules that read a shipped model.
"""
