"""The laws that core must keep."""
