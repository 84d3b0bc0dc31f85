"""Files become raw tables and passages, inside a sandboxed child."""
