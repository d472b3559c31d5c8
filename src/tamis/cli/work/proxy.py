"""Keep the requests of any agent within the window; its base URL is all that changes."""

from tamis.proxy import ProxySettings, serve


def run(max_body: int, timeout: float, **given: object) -> None:
    settings = ProxySettings(
        max_body_bytes=max_body * 1024 * 1024,
        read_timeout_s=timeout,
        **given,  # type: ignore[arg-type] # each option has the name and the type of a setting
    )
    serve(settings)
