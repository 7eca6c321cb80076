"""Where an answer stands in a response, whatever its kind."""
