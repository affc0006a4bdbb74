"""A report in words, as the terminal shows it: the tables of `spec/words.json`, and the lines between them."""
