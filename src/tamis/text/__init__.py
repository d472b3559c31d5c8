"""What is true of any text: names, sentences, numbers, cues, and the terms that texts are compared by."""
