"""Compares your points with a sample of this kit: python check.py lbs|dqs SAMPLE MINE.npy [TOLERANCE]"""

import pathlib
import sys

import numpy as np

KIT = pathlib.Path(__file__).resolve().parent


def check(positions, method, sample, tolerance=1e-4):
    """Fails unless positions, (V, 3) in metres, are those of a sample, by number, up to a fraction of its size."""
    with np.load(KIT / "kit.npz") as kit:
        expected = kit["points_" + method][sample].astype(float)
    positions = np.asarray(positions, dtype=float)
    if positions.shape != expected.shape:
        raise AssertionError(f"{positions.shape} positions, but the kit has {expected.shape}")
    size = (np.linalg.norm(np.ptp(expected, axis=0)) if len(expected) else 0.0) or 1.0
    errors = np.linalg.norm(positions - expected, axis=1) / size
    errors[np.isnan(errors)] = np.inf
    if not len(errors):
        return 0.0
    worst = int(errors.argmax())
    if errors[worst] > tolerance:
        raise AssertionError(
            f"{method} of sample {sample}: {np.count_nonzero(errors > tolerance)} of {len(errors)} vertices differ; "
            f"vertex {worst} by {errors[worst]:.2g} of the size: {positions[worst]}, expected {expected[worst]}"
        )
    return errors[worst]


if __name__ == "__main__":
    method, sample, path, *tolerance = sys.argv[1:]
    print(f"largest error: {check(np.load(path), method, int(sample), *map(float, tolerance)):.2g} of the size")
