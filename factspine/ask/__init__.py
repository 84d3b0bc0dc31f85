"""Questions and answers: question -> parse -> resolve -> compute -> render."""
