"""The pages: they choose and show, and leave the mathematics to `core`."""
