"""How hypothesis draws: few examples, no deadline (a busy machine is no bug) and no file of past failures."""

from hypothesis import settings

settings.register_profile("laws", max_examples=25, deadline=None, database=None)
settings.load_profile("laws")
