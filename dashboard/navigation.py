"""The links to the pages, with what the reader takes along.

They are one component. For each picture of a drag Streamlit goes through all elements of the page some three times: as
elements of their own, the links and what their groups are called would be fifteen of them.
"""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

import streamlit as st

from dashboard.screen import LOADER, STATIC, module_url
from dashboard.serve.paths import served

_component = st.components.v2.component(
    "cellscope_navigation",
    html='<nav aria-label="Pages"></nav><p class="failed"></p>',
    css=(STATIC / "navigation.css").read_text(encoding="utf-8"),
    js=LOADER,
)


class Link(NamedTuple):
    """A link to a page.

    Attributes
    ----------
    title : str
    path : str
        Of the page.
    said : mapping from str to str
        The parameters of its address.
    """

    title: str
    path: str
    said: Mapping[str, str]


def navigation(groups: Mapping[str, list[Link]], *, here: str) -> None:
    """Draw the links.

    Parameters
    ----------
    groups : mapping from str to list of Link
        By what their group is called.
    here : str
        The path of the page that is shown.
    """
    data = {
        "module": module_url("link.js"),
        "part": "navigation.js",
        "root": served(""),
        "groups": [
            {
                "title": title,
                "links": [
                    {"title": link.title, "address": _address(link), "is_here": link.path == here} for link in links
                ],
            }
            for title, links in groups.items()
        ],
    }
    _component(key="navigation", data=data)


def _address(link: Link) -> str:
    return served(link.path) + (f"?{urlencode(link.said)}" if link.said else "")
