"""Narrative: passages become chunks, chunks an index, and the index answers with quotations."""
