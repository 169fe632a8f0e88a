"""Markers of classes in the pictures of the report: regular stars and polygons, upright."""

import re

import numpy as np
import pytest

from pycdf.report.svg import Svg


def corners(shape):
    svg = Svg(10, 10, "")
    svg.marker(0, 0, shape, 1, "#000000")
    (points,) = re.findall(r'points="([^"]*)"', svg.html())
    return np.array([[float(one) for one in point.split(",")] for point in points.split()])


@pytest.mark.parametrize(
    ("shape", "count", "first", "radii"),
    [
        ("*", 10, -90.0, [1.1, 0.495]),
        ("p", 5, -90.0, [1.1, 1.1]),
        ("h", 6, -90.0, [1.1, 1.1]),
        ("8", 8, -67.5, [1.1, 1.1]),
    ],
)
def test_stars_and_polygons(shape, count, first, radii):
    found = corners(shape)
    angles = np.radians(first + np.arange(count) * 360 / count)
    sizes = np.resize(radii, count)
    wanted = sizes[:, np.newaxis] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    np.testing.assert_allclose(found, wanted, atol=0.006)
