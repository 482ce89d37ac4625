"""Lists the modules that only the notebooks on the survey (a post on ELMo and BERT) use, by number.

    01  antecedents, figures_of_similarity_maps, pronouns
    01 07  phrases, sentence_similarity, word_pairs
    02  architecture_shares, backwards, gated_cnn, networks
    02 03 04 06 07  edge_bank, edge_probes, edge_rules, edges, spans
    03 07  task_order
    04  decision_pairs, decisions, figures_of_reversals, one_sentence, reversal_paths, reversals
    05  figures_of_trees, nonsense, structural, structural_probes, tree_study, treebanks
    06  mixing, next_words, sequences, targets, tuned_spans
    07  choices

`claims` holds the text's claims, its printed numbers, and the checks of these numbers.
"""
