"""Lists the modules that only the notebooks on Biś et al. (2021) use, by notebook number.

    00  built_matrices, softmax_layer
    01  figures_of_projections, matrix_shape, projection
    01 02 04 06  untrained_matrices
    01 05  figures_of_matrices, spheres
    03  figures_of_gains
    04 06  rare_words
    05  frequency, token_frequency
    06  norms
    07  arms
    08  choices

`claims` holds the text's claims, its printed numbers, and the checks of these numbers.
"""
