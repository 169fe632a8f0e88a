"""Search for the parameters of a forest that suit the data (:func:`pycdf.tune`)."""
