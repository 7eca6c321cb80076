"""Image-text retrieval: pairs joined by id, exact ranks, prediction rows, metrics."""
