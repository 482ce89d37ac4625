"""Diagnostic classifiers ("probes"): what can be read off representations.

batched.py    one binary classifier a layer and class, all of them trained at once
words.py      the same on one vector a word, which can have several classes
study.py      from a probing set to what its probes say of the test contexts
controls.py   what they can memorise, and how long a code of the classes they give
spans.py      vectors of spans and of pairs of spans, pooled over their words
edge_bank.py  many edge probes in one product: all kinds of a task, for all seeds and folds
edges.py      edge probes of one task, tested on folds that they did not see, and kept in the cache
structural.py  one linear map a layer, after which words lie as in their tree
tree_study.py  from vectors of words to what structural probes say of sentences in other folds
sequences.py  a linear probe, an MLP and a biLSTM of its size, which read whole sentences
next_words.py a softmax over words, retrained on each layer of a language model
"""
