"""Tests of the pages. `page` drives the whole app in one process, and reads back what its picture holds."""
