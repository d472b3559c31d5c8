"""OpenHands runs."""
