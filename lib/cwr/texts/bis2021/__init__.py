"""What only the notebooks on Biś et al. (2021) reach, by their numbers.

    00  built_matrices, softmax_layer
    01  matrix_shape, projection
    01 02 04 06  untrained_matrices
    01 05  figures_of_matrices, spheres
    03  figures_of_gains
    04 06  rare_words
    05  frequency, token_frequency
    06  norms
    07  arms
    08  choices

`claims` has what the text claims, the checks of its printed numbers, and these.
"""
