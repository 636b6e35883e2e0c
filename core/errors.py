"""What can go wrong in a way the person can do something about.

Everything shown to a person is an `AppError`: what happened, to which file or model, and a hint at what to do.
Any other exception is a bug and is reported as one.
"""


class AppError(Exception):
    """An expected failure.

    Args:
        message: what happened, to which file or model, in a sentence for the person.
        hint: what the person can do about it; empty when nothing can be done.
        retryable: whether the same call may succeed later without anyone changing anything.
    """

    def __init__(self, message: str, hint: str = "", *, retryable: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.retryable = retryable

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class PhotoError(AppError):
    """A source file cannot be used; the run goes on without it."""


class PhotoMissingError(PhotoError):
    """The file is not where it was."""


class PhotoUnreadableError(PhotoError):
    """The file is there but its content cannot be decoded."""


class PhotoTooLargeError(PhotoError):
    """Decoding the file would take more pixels or time than allowed."""


class PhotoUnsupportedError(PhotoError):
    """The file's format is not one we read."""


class StoreError(AppError):
    """The library's database cannot be used as asked."""


class StoreLockedError(StoreError):
    """Another program (or another Madeleine) holds the library."""


class StoreFullError(StoreError):
    """There is no room left on the disk of the library."""


class StoreDamagedError(StoreError):
    """The database fails its integrity check."""


class StoreTooNewError(StoreError):
    """The database was written by a newer version."""


class ModelError(AppError):
    """A model cannot do what it was asked."""


class ModelNotInstalledError(ModelError):
    """The role has no installed model."""


class ModelUnreadableError(ModelError):
    """The weights are there but the runtime refuses them."""


class ModelCrashedError(ModelError):
    """The child process of the model died twice on the same job."""


class ModelTimedOutError(ModelError):
    """The model did not answer within its time limit."""


class NotEnoughRamError(ModelError):
    """Loading the model would not fit into the machine's memory."""


class DownloadFailedError(ModelError):
    """The weights could not be fetched."""


class ChecksumMismatchError(ModelError):
    """The fetched bytes are not the ones the catalogue names."""


class ReplyError(AppError):
    """A model's text does not fit its schema, also after one more try."""


class SettingsError(AppError):
    """The settings file cannot be read or holds an invalid value."""


class RequestError(AppError):
    """What the person asked for names something that does not exist or makes no sense."""


class JobCancelled(Exception):
    """The job was cancelled or overtaken by a more urgent one; never shown, never logged as an error."""
