"""Rules, facts and updates planted in filler: the phrases, the conversations, and what was kept of them."""
