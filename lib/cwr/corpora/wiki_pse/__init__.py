"""Reads words of Wikipedia with their referent's semantic class, as Zhao et al. (2020) probe it.

Their corpus, Wiki-PSE (Yaghoobzadeh et al., 2019), is a Wikipedia whose links are labelled with the
class of their target: "Apple" the company, the fruit. Its sentences are on one university's server;
its lists of words and classes are public. This package has the lists, a reader for a copy of the
sentences, and our own corpus, built by the same idea from a piece of Wikipedia in a Python package:

    mentions.py    the corpus "wiki-anchors": links, later mentions, and their classes
    contexts.py    probing sets from mentions: word, class, context, and the three splits
    released.py    Wiki-PSE's lists: words, classes, frequencies
    listed.py      the corpus "wiki-listed": running text, labelled by these lists
    archive.py     Wiki-PSE's sentences, from the authors' archive
"""
