"""Where tamis plugs into other tools: thin, and loaded only by them."""

__all__: list[str] = []
