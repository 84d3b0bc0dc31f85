"""A folder becomes one sealed run of facts."""
