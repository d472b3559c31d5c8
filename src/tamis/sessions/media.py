"""Media between the ways in which APIs write them: base64 with a type, `data:` URLs, plain URLs."""

import re
from typing import Literal

from tamis.messages import Media

_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+)?(?:;[\w=.-]+)*;base64,(.*)", re.DOTALL)

MediaKind = Literal["image", "document", "audio", "other"]
_KINDS: dict[str, MediaKind] = {"image": "image", "audio": "audio"}
_KINDS |= {"application": "document", "text": "document"}


def media_at(url: str, kind: MediaKind | None = None) -> Media:
    """The medium behind a URL; the content of a `data:` URL is taken out of it.

    >>> media_at("data:image/png;base64,iVBO").mime
    'image/png'
    """
    match = _DATA_URL.fullmatch(url)
    if match is None:
        return Media(kind=kind or "image", url=url)
    return Media(kind=kind or kind_of(match[1]), mime=match[1], data=match[2])


def url_of(media: Media) -> str | None:
    """A URL for the medium, `data:` where its content is known; None without content and URL."""
    if media.data is not None:
        return f"data:{media.mime or 'application/octet-stream'};base64,{media.data}"
    return media.url


def left_out(media: Media) -> str:
    """What stands for a medium where an API takes none.

    >>> left_out(Media(kind="image", mime="image/bmp"))
    '[image (image/bmp) left out]'
    """
    what = media.mime or media.url
    return f"[{media.kind} ({what}) left out]" if what else f"[{media.kind} left out]"


def kind_of(mime: str | None) -> MediaKind:
    """What kind of medium a MIME type is.

    >>> kind_of("application/pdf"), kind_of("video/mp4"), kind_of(None)
    ('document', 'other', 'other')
    """
    return _KINDS.get((mime or "").partition("/")[0], "other")
