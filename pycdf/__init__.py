"""R's centroid decision forest (CRAN package CDF 0.1.0) in Python, bit for bit."""

from pycdf.api import CDF, CDFResult
from pycdf.datasets import load_darwin
from pycdf.rstream import RStream

__all__ = ["CDF", "CDFResult", "RStream", "load_darwin"]
__version__ = "0.1.0"
