"""Lists the modules that only the notebooks on Ethayarajh (2019) use, by notebook number.

    00 04 06  bounds
    01  shared_rows
    01 02  figures_of_clouds, sample_sizes
    01 04  first_positions
    02 04 06 08  figures_of_layers
    04  titles
    04 06  matched_variance
    05  choices
    06  figures_of_occurrences, removed_coordinates, treatments
    07  static_scores, static_treatments
    07 09  static_vectors, word_benchmarks
    08  polysemy, senses

`claims` holds the text's claims, its printed numbers, and the checks of these numbers.
"""
