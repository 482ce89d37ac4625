"""Texts whose words and spans of words have labels: word classes, trees, entities, coreference.

conllu.py     CoNLL-U: words by their forms in the text, word classes, dependencies
entities.py   entities as spans, from GUM's brackets or from tags on words
sources.py    the corpora "gum", "ud-english-ewt", "wikigold" and "wnut-17"
labels.py     one interface to all of them: a label a word, or a table of spans with classes
"""

from cwr.corpora.treebanks.labels import SPLITS, numbers, span_table, word_labels

__all__ = ["SPLITS", "numbers", "span_table", "word_labels"]
