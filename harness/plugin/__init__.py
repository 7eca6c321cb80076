"""The pytest plugin: experiments as items. One file per concern; this one lists them."""

pytest_plugins = [
    "harness.plugin.options",
    "harness.plugin.collect",
    "harness.plugin.audits",
    "harness.plugin.fixtures",
    "harness.plugin.golden",
    "harness.plugin.properties",
    "harness.plugin.reporter",
]
