"""How our small models were made: training of language models, counts as rivals, shipping, cards.

What reads a shipped model is in `encoders`.
"""
