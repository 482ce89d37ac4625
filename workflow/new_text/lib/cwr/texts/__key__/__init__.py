"""What only the notebooks of this text reach: __title__

claims: what the text claims, checks of its printed numbers, and these.
"""
