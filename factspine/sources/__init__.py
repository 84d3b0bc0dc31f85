"""Bytes before anyone parses them: sniffing, the container guard, the archive."""
