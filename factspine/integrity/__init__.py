"""The check: whether the record is what was sealed, the archive what was recorded, and each fact still at its cell."""
