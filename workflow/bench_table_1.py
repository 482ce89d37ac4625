"""Table 1 of Biś et al. (2021) from one Gram matrix and by the textbook: seconds, memory, difference.

bench.py runs it in a process of its own, with one thread, and reads the JSON that it prints.
"""

import json
import time

import numpy as np

from bench_memory import peak
from cwr.measures import geometry

ROWS, DIM, REMOVED = 50_257, 768, 8  # GPT-2's matrix; D = ceil(768 / 100)


def cloud() -> np.ndarray:
    """Gaussian rows (ROWS, DIM), float32, with decaying variances and a mean as long as GPT-2's."""
    rng = np.random.default_rng(0)
    W = rng.standard_normal((ROWS, DIM), dtype=np.float32)
    W *= np.linspace(0.35, 0.05, DIM, dtype=np.float32)
    mean = rng.normal(size=DIM)
    W += (2.05 * mean / np.linalg.norm(mean)).astype(np.float32)
    return W


def by_the_textbook(W: np.ndarray, mean: np.ndarray) -> list[float]:
    """I(W), I(W_c), I(W_r), each of a matrix of its own in float64, as the equations are written."""
    whole = W.astype(np.float64)
    centred = whole - whole.mean(axis=0)
    values, vectors = np.linalg.eig(centred.T @ centred)
    top = vectors[:, np.argsort(values)[::-1][:REMOVED]]
    removed = centred - (centred @ top) @ top.T
    of_whole = np.linalg.eig(whole.T @ whole)[1]
    of_removed = np.linalg.eig(removed.T @ removed)[1]
    pairs = ((whole, of_whole), (centred, vectors), (removed, of_removed))
    return [isotropy(matrix, columns, mean) for matrix, columns in pairs]


def isotropy(matrix: np.ndarray, vectors: np.ndarray, mean: np.ndarray) -> float:
    """min Z / max Z over eigenvectors (columns), one at a time, each turned towards the mean."""
    z = []
    for vector in vectors.T:
        towards = vector if vector @ mean >= 0 else -vector
        z.append(np.exp(matrix @ towards).sum())
    return min(z) / max(z)


def main() -> None:
    """Measure both, ours first: memory only grows."""
    W = cloud()
    memory, seconds = [peak()], [time.process_time()]
    table = geometry.of_matrix(W)
    memory.append(peak())
    seconds.append(time.process_time())
    textbook = by_the_textbook(W, table.mean)
    memory.append(peak())
    seconds.append(time.process_time())
    ours = [part.isotropy() for part in (table.raw, table.centred, table.removed(REMOVED))]
    print(
        json.dumps(
            {
                "fast": seconds[1] - seconds[0],
                "slow": seconds[2] - seconds[1],
                "megabytes": memory[1] - memory[0],
                "slow_megabytes": memory[2] - memory[0],
                "difference": float(abs(np.divide(ours, textbook) - 1).max()),
            }
        )
    )


if __name__ == "__main__":
    main()
