"""Forests compared bit for bit."""

from pycdf.forest.arrays import Forest


def assert_same_forest(ours: Forest, expected: Forest) -> None:
    """Every array has the same type, the same shape and the same bytes (so -0.0 is not 0.0)."""
    for name, one, other in zip(Forest._fields, ours, expected, strict=True):
        assert one.dtype == other.dtype, name
        assert one.shape == other.shape, name
        assert one.tobytes() == other.tobytes(), name
