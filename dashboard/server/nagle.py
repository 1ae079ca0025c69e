"""Answers leave at once: without Nagle's algorithm, which would hold the body of each answer until the browser has confirmed the headers."""

import gc
import socket

INTERNET = (socket.AF_INET, socket.AF_INET6)


def turn_off() -> None:
    """Turn off Nagle's algorithm for the connections that the process will accept at its open sockets.

    `streamlit run` makes its socket without naming the protocol, so asyncio does not know it as TCP and leaves the algorithm on. Then each
    answer takes 40 ms longer, and the first load of a page half a second. A connection has the options of the socket that accepts it.
    """
    for one in gc.get_objects():
        if isinstance(one, socket.socket) and one.fileno() >= 0 and one.family in INTERNET and _listens(one):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)


def _listens(one: socket.socket) -> bool:
    return one.type == socket.SOCK_STREAM and bool(one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))
