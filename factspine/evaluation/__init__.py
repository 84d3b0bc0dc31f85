"""How well answers cite: a gold set asked in several phrasings and seeds, and the four targets it must meet."""
