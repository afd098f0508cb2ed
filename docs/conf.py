"""How Sphinx makes the site of these pages: `make site`."""

from __future__ import annotations

import sys
from pathlib import Path

import ddl_lint
from ddl_lint.pages.docs import write_pages
from ddl_lint.registry.rules import load_rules

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

# The pages of rules, settings and the rulekit are made anew with each build, and not kept in the repository.
write_pages(load_rules(), Path(__file__).parent.parent)

project = "ddl-lint"
author = "the ddl-lint developers"
release = version = ddl_lint.__version__

extensions = ["myst_parser", "sphinx_copybutton", "rank_pictures", "playground"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_ext", "_static", "playground/*"]
myst_enable_extensions = ["attrs_block", "colon_fence"]
myst_heading_anchors = 3
# The pages of single rules are found by the indexes and the search; a sidebar of all of them helps nobody.
suppress_warnings = ["toc.not_included"]
nitpicky = True

html_theme = "furo"
pygments_style = "friendly"
pygments_dark_style = "github-dark"
html_title = "ddl-lint"
html_logo = "_static/logo.svg"
html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_extra_path = ["../vscode-extension/schemas"]
html_css_files = ["site.css"]
html_js_files = [(name, {"defer": "defer"}) for name in ("error-search.js", "rule-filters.js")]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_show_sourcelink = False
html_theme_options = {
    "navigation_with_keys": True,
    "light_css_variables": {"color-brand-primary": "#0b5cad", "color-brand-content": "#0b5cad"},
    "dark_css_variables": {"color-brand-primary": "#5bb5f7", "color-brand-content": "#5bb5f7"},
}
copybutton_prompt_text = "$ "

linkcheck_timeout = 20
linkcheck_retries = 2
linkcheck_ignore = [r"https://github\.com/[^/]+/[^/]+/issues/\d+"]  # thousands of requests to one host
