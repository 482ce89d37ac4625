"""Diagnostic classifiers ("probes"): what can be read off representations.

batched.py    one binary classifier a layer and class, all of them trained at once
words.py      the same on one vector a word, which can have several classes
study.py      from a probing set to what its probes say of the test contexts
controls.py   what they can memorise, and how long a code of the classes they give
"""
