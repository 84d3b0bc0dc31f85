"""A citation becomes the cell as a person sees it."""
