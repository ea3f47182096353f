"""Executed notebooks as HTML: one small style sheet, formulas as MathML, nothing to fetch."""

import html
import re
from functools import cache
from pathlib import Path

__all__ = ["index", "mathml", "page"]

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
{body}
</body>
</html>
"""

# Long cells are folded: the page is read for its results, and the code stays one click away.
_TEMPLATE = """{% extends 'basic/index.html.j2' %}
{% block input %}
<details class="code"{% if cell.source.count('\\n') < 12 %} open{% endif %}>
<summary>code</summary>
{{ cell.source | highlight_code(metadata=cell.metadata) }}
</details>
{% endblock %}
{% block data_svg %}
<div class="output_svg"><img alt="{{ output.metadata.alt | escape_html }}"
src="data:image/svg+xml;base64,{{ output.data['image/svg+xml'] | text_base64 }}"></div>
{% endblock %}
{% block data_latex %}
<div class="output_latex">{{ output.data['text/latex'] | markdown2html }}</div>
{% endblock %}
"""


def page(run):
    """Give the page of one executed notebook (a `blunderlab.report.Run`)."""
    notebook = _without_traceback(run) if run.state == "cannot" else run.notebook
    _describe_pictures(notebook)
    body, _ = _exporter().from_notebook_node(notebook)
    top = f"""<nav><a href="index.html">All notebooks</a>
<a href="{run.name}.ipynb">As a notebook</a></nav>
{_note(run)}"""
    return _whole(run.title, f"{top}\n<main>\n{body}\n</main>")


def index(runs, paths):
    """Give the page that lists the runs; `paths` are what the user named, [] for shipped data."""
    on = ", ".join(f"<code>{html.escape(p)}</code>" for p in paths) or "the shipped data"
    rows = "\n".join(_row(run) for run in runs)
    return _whole(
        "blunderlab report",
        f"""<main>
<h1>blunderlab report</h1>
<p class="on">{len(runs)} notebooks, executed on {on}.</p>
<ol class="index">
{rows}
</ol>
</main>""",
    )


def mathml(tex, display=False):
    r"""Turn a formula from LaTeX into MathML, which browsers draw by themselves.

    Examples
    --------
    >>> mathml("x^2")
    '<math display="inline"><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>'
    """
    from latex2mathml.converter import convert

    drawn = convert(tex, display="block" if display else "inline")
    drawn = drawn.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")
    # The converter takes these for letters; as operators they get their space.
    return re.sub(r"<mi>(&#x000B1;|&#x000D7;|&#x000B7;)</mi>", r"<mo>\1</mo>", drawn)


def _row(run):
    """One line of the index."""
    matches = {None: "", 1: "1 match"}.get(run.matches, f"{run.matches} matches")
    note = _note(run)
    return (
        f'<li class="{run.state}"><a href="{run.name}.html">{_inline(run.title)}</a>'
        f'<span class="n">{matches}</span><br>\n{note or _inline(run.question)}</li>'
    )


def _note(run):
    """Say why a notebook did not come to its end."""
    words = {"cannot": "cannot run on these files", "failed": "failed"}.get(run.state)
    return words and f'<p class="note {run.state}">{words}: {html.escape(run.message)}</p>' or ""


def _without_traceback(run):
    """Give a copy that ends before the cell that could not run."""
    notebook = run.notebook.copy()
    stop = next(
        i
        for i, cell in enumerate(notebook.cells)
        if any(o.output_type == "error" for o in cell.get("outputs", ()))
    )
    notebook.cells = notebook.cells[:stop]
    return notebook


def _describe_pictures(notebook):
    """Give each picture without a text of its own the heading above it."""
    heading = "picture"
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            found = re.findall(r"^#+\s+(.+)$", cell.source, re.MULTILINE)
            heading = found[-1] if found else heading
        for output in cell.get("outputs", ()):
            if any(kind.startswith("image/") for kind in output.get("data", ())):
                output.metadata.setdefault("alt", heading)


def _inline(markdown):
    """A line of Markdown, formulas too, without the paragraph around it."""
    drawn = _exporter().markdown2html({}, markdown).strip()
    return re.sub(r"^<p>|</p>$", "", drawn)


def _whole(title, body):
    """A page with its style inside."""
    style = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    return _PAGE.format(title=html.escape(title), style=style, body=body)


@cache
def _exporter():
    """The notebook → HTML converter, which is imported only when a page is made."""
    from jinja2 import pass_context
    from nbconvert.exporters import HTMLExporter
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    class Renderer(IPythonRenderer):
        def inline_math(self, body):
            return mathml(body)

        def block_math(self, body):
            return mathml(body, display=True)

        def latex_environment(self, name, body):
            return mathml(f"\\begin{{{name}}}{body}\\end{{{name}}}", display=True)

    class Exporter(HTMLExporter):
        @pass_context
        def markdown2html(self, context, source):
            attachments = context.get("cell", {}).get("attachments", {})
            renderer = Renderer(escape=False, attachments=attachments, exclude_anchor_links=True)
            return MarkdownWithMath(renderer=renderer).render(source)

    return Exporter(
        template_name="basic",
        raw_template=_TEMPLATE,
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )
