"""Addresses of servers, as they are given by name."""

from urllib.parse import urlsplit

from tamis.errors import UnknownModel


def split_address(address: str) -> tuple[str, str]:
    """The base URL of an OpenAI-compatible server, and the model behind `#`.

    Raises:
        UnknownModel: no host in it.

    >>> split_address("http://127.0.0.1:8080#qwen")
    ('http://127.0.0.1:8080/v1', 'qwen')
    """
    url, _, model = address.partition("#")
    try:
        parts = urlsplit(url)
        sound = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        sound = False
    if not sound:
        raise UnknownModel(f"{address!r} is no address; write http://host:port[/v1][#model]")
    return (url.rstrip("/") if parts.path.strip("/") else f"{url.rstrip('/')}/v1"), model
