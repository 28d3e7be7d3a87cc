"""How Hypothesis runs here.

The suite draws the same examples every time, so that a red test is red for everybody. To go looking for
new trouble, take the other profile: ``pytest --hypothesis-profile=search``.
"""

from hypothesis import HealthCheck, settings

# The first example of a run may compile kernels, hence no deadline.
settings.register_profile(
    "steady", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("search", deadline=None, max_examples=2000, print_blob=True)
settings.load_profile("steady")
