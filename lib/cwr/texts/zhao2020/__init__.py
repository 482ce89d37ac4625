"""Lists the modules that only the notebooks on Zhao et al. (2020) use, by notebook number.

    00  figures_of_printed_scores
    01  figures_of_decisions
    01 02  word_spaces
    01 02 03 04 05 08 09  probe_training, probed_contexts, probes
    01 03 04 05 08 09  probing_sets
    02  figures_of_spaces, word_space_table, words
    02 03  probe_baselines
    03  aggregation, probe_hits
    03 04 09  sentence_means
    03 08  figures_of_partial_inputs
    04  figures_of_context_sizes
    05 06 07  tuned_scores
    06  attention_change
    06 07  attention
    08  figures_of_probe_controls, probe_controls
    09  choices, label_audit

`claims` holds the text's claims, its printed numbers, and the checks of these numbers.
"""
