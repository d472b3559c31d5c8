"""What is true of any text: names, sentences, numbers and measures, the terms by which texts are compared, cues."""
