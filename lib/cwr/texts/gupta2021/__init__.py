"""Lists the modules that only the notebooks on Gupta and Jaggi (2021) use, by notebook number.

    00 02 05  cost
    01  along_updates
    01 06  neighbours
    02  figures_of_similarity
    02 03 04  corpus_sizes
    02 03 04 07  scratch_rows, sent2vec
    02 05  teacher_costs
    04  classification, figures_of_epochs, sentence_classifier, sentence_cnn, sentences
    05  figures_of_costs
    07  choices, left_out, masked_targets

`claims` holds the text's claims, its printed numbers, and the checks of these numbers.
"""
