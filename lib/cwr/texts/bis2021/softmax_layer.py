"""Trains a small softmax layer to see whether its mean row moves. Biś et al. (2021), section 3.3.

Outputs have a direction in common and targets follow Zipf's law, as in language. The measure is
how far the mean row moves under each update rule.

    W is (WORDS, DIM), a row a word; BATCH predictions a step
"""

from collections.abc import Callable

import numpy as np

from cwr.measures import output_layer

WORDS, DIM, BATCH = 200, 16, 32
COMMON = 0.5  # the mean of every coordinate of the outputs

Update = Callable[[np.ndarray], np.ndarray]  # the gradient of W -> what is subtracted from W


def plain(rate: float = 1.0) -> Update:
    """Returns the update rule of equation 6, plain gradient descent."""
    return lambda gradient: rate * gradient


class Adam:
    """The update rule Adam (Kingma and Ba, 2015), which scales each coordinate by its own past.

    Called with gradients of one shape, one step after the other; keeps both moments.
    """

    def __init__(
        self, rate: float = 0.01, first: float = 0.9, second: float = 0.95, epsilon: float = 1e-8
    ):
        """rate: the learning rate. first, second: the share of each moment that a step keeps."""
        self.rate, self.first, self.second, self.epsilon = rate, first, second, epsilon
        self.mean, self.square, self.steps = 0.0, 0.0, 0

    def __call__(self, gradient: np.ndarray) -> np.ndarray:
        """The change for one step, of the gradient's shape."""
        self.steps += 1
        self.mean = self.first * self.mean + (1 - self.first) * gradient
        self.square = self.second * self.square + (1 - self.second) * gradient**2
        mean = self.mean / (1 - self.first**self.steps)
        square = self.square / (1 - self.second**self.steps)
        return self.rate * mean / (np.sqrt(square) + self.epsilon)


def drift_of_the_mean(update: Update, steps: int = 300, seed: int = 0) -> np.ndarray:
    """Computes the distance of the mean row from its start after each step, (steps,)."""
    rng = np.random.default_rng(seed)
    W = np.random.default_rng(seed).normal(0, 0.1, (WORDS, DIM))
    start, distances = W.mean(axis=0), []
    zipf = 1 / np.arange(1, WORDS + 1)
    for _ in range(steps):
        outputs = rng.normal(COMMON, 1, (BATCH, DIM))
        targets = rng.choice(WORDS, BATCH, p=zipf / zipf.sum())
        W = W - update(output_layer.gradient(W, outputs, targets) / BATCH)
        distances.append(np.linalg.norm(W.mean(axis=0) - start))
    return np.array(distances)
