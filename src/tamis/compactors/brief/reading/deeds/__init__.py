"""What calls were and what they came to, as statements."""
