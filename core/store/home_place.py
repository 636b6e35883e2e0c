"""Is the place of a home a good one? A drive of another computer, or a folder that a service copies, can damage a database."""

from core.paths import Home
from core.text_keys import printable
from core.volumes import is_on_network, syncing_service


def is_shared(home: Home) -> bool:
    """Whether other computers may see the home."""
    place = str(home.folder)
    return is_on_network(place) or bool(syncing_service(place))


def doubts(home: Home) -> list[str]:
    """What the person should know about the place of their library; empty when it is a good one."""
    place = str(home.folder)
    move = "Keep it on a disk of this computer: close Madeleine, move the folder, and name it with --home or MADELEINE_HOME."
    if service := syncing_service(place):
        return [
            f"The library lies in {printable(place)}, which {service} copies between computers: two of them at once, or a copy made "
            f"in the middle of a change, can damage it. {move}"
        ]
    if is_on_network(place):
        return [
            f"The library lies in {printable(place)}, on a drive of another computer: databases are slow there and can be damaged "
            f"when the connection breaks. {move}"
        ]
    return []
