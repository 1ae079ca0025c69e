"""What every test of a page needs."""

from unittest.mock import patch

import pytest
from streamlit.components.v2.component_manager import BidiComponentManager


@pytest.fixture(scope="session", autouse=True)
def no_search_for_installed_components():
    """Each AppTest looks through every installed package for components; ours comes from none of them."""
    with patch.object(BidiComponentManager, "discover_and_register_components"):
        yield
