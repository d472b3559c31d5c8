"""Every error that tamis raises on purpose.

    TamisError
    ├── InputError                  the input or the call is wrong; the message ends with the remedy
    │   ├── UnreadableFile          missing, empty, binary, not text, cut short
    │   ├── UnknownFormat           readable, but no reader knows the format
    │   ├── BadBudget               zero, negative, not a number, or below the fixed part
    │   ├── UnknownMethod           no such method, or it could not be loaded
    │   ├── UnknownModel            no such language model, or nothing there to ask it with
    │   ├── OutputExists            refusing to overwrite
    │   ├── BadArchive              locked, full, read-only, damaged, or not an archive
    │   ├── CapReached              what may be spent on models is spent, or would be
    │   └── NotComparable           runs or settings that do not go together
    ├── MethodFailed                a compactor raised, hung, or broke a guarantee
    ├── ModelError                  a language model was asked and gave no usable answer
    │   ├── ModelTimeout            nothing in the time allowed
    │   ├── ModelRateLimited        asked too often (429)
    │   ├── ModelServerError        its server failed or is overloaded (5xx)
    │   ├── ModelUnreachable        no connection, or one that broke off
    │   ├── RequestRejected         key, quota, model name or request not accepted; asking again does not help
    │   │   └── PromptTooLong       more than the model's window
    │   └── UnusableReply           empty, refused, cut short, or not in the form that was asked for
    └── MissingExtra                an optional dependency is needed; names the pip command

`InputError` and `MissingExtra` become one line and exit status 2 at the command line. Everything else that
tamis cannot name is a bug and keeps its traceback.
"""


class TamisError(Exception):
    """The root: catch this to catch everything that tamis raises on purpose."""


class InputError(TamisError):
    """What was given cannot be used. The message names the value and what to do instead."""


class UnreadableFile(InputError):
    """The file is missing, empty, binary, in another encoding, or cut short."""


class UnknownFormat(InputError):
    """The file can be read, but no reader recognises a session in it."""


class BadBudget(InputError):
    """The budget is not a positive token count or share, or is too small to hold anything."""


class UnknownMethod(InputError):
    """No compactor goes by this name, or the one named could not be loaded."""


class UnknownModel(InputError):
    """No language model goes by this name, or what is needed to ask it is missing."""


class OutputExists(InputError):
    """The output path exists and overwriting was not asked for."""


class BadArchive(InputError):
    """The archive is locked, full, read-only, damaged, of another version, or something else."""


class CapReached(InputError):
    """What may be spent on models is spent, or would be."""


class NotComparable(InputError):
    """Two runs, or a run and its settings, do not go together."""


class MethodFailed(TamisError):
    """A compactor raised, took too long, or returned something that breaks a guarantee."""


class ModelError(TamisError):
    """A language model was asked and gave no usable answer.

    `retry_after_s` is how long the provider asked to wait, where it did.
    """

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class ModelTimeout(ModelError):
    """The model did not answer in the time allowed."""


class ModelRateLimited(ModelError):
    """The provider takes no more requests for now."""


class ModelServerError(ModelError):
    """The model's server failed, or is overloaded."""


class ModelUnreachable(ModelError):
    """The model's server could not be reached, or the connection broke off."""


class RequestRejected(ModelError):
    """The provider does not accept the request: the key, the quota, the model's name, or what was asked."""


class PromptTooLong(RequestRejected):
    """What was asked does not fit the model's window."""


class UnusableReply(ModelError):
    """The model answered with nothing that can be used: empty, refused, cut short, or in another form."""


class MissingExtra(TamisError):
    """An optional dependency is needed for this; the message names the command that installs it."""
