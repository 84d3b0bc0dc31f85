"""What things are: records and grammars every layer shares. Standard library only."""
