"""Citations: the payload, its validation, the check of every number in a text, and the exchange formats."""
