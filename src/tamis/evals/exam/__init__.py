"""The exam: can somebody go on from this text? Questions with key points, dealt and graded blind."""
