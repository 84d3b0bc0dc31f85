"""Bytes before anyone parses them: walking a folder, sniffing, the container guard, the archive."""
