"""Settings that must be made before anything else is imported."""

import os

# Without it scikit-learn skips its check that array API dispatch changes nothing.
os.environ["SCIPY_ARRAY_API"] = "1"
