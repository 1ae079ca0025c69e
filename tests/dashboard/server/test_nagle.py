"""Connections of `streamlit run` send at once."""

import socket

import pytest

from dashboard.server import nagle


@pytest.mark.parametrize(("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")])
def test_an_accepted_connection_sends_at_once(family, host):
    # As Streamlit makes its socket.
    with socket.socket(family=family) as listening:
        try:
            listening.bind((host, 0))
        except OSError:
            pytest.skip("This machine has no such addresses.")
        listening.listen()
        nagle.turn_off()
        with socket.create_connection(listening.getsockname()[:2]), listening.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_other_sockets_are_left_alone():
    # A socket that is closed, one of another kind, and one that does not listen.
    closed = socket.socket()
    closed.close()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM), socket.socket() as idle:
        nagle.turn_off()
        assert not idle.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
