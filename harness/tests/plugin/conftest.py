import pytest

from harness.tests.plugin.project import Project


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    return Project(pytester)
