"""Language knowledge: numbers, units, periods and names in Chinese and English."""
