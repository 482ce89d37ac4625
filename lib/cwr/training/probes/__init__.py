"""Diagnostic classifiers ("probes"): what can be read off representations.

batched.py    one binary classifier a layer and class, all of them trained at once
"""
