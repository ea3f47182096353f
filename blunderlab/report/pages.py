"""Executed notebooks as HTML: one small style sheet, formulas as MathML, nothing to fetch."""

import html
import re
from functools import cache
from pathlib import Path

from blunderlab.report import first_html

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
    body = _LINK.sub(r'href="\1.html', _TABLE.sub(_tidy, body))
    top = f"""<nav><a href="index.html">All notebooks</a>
<a href="{run.name}.ipynb">As a notebook</a></nav>
{_note(run)}"""
    return _whole(run.title, f"{top}\n<main>\n{body}\n</main>")


def index(runs, summary):
    """Give the first page: the matches of a `blunderlab.report.first.Summary`, then the runs."""
    rows = "\n".join(_row(run) for run in runs)
    notebooks = f"""<h2>Notebooks</h2>
<p class="on">{len(runs)} notebooks, executed on the same data.</p>
<ol class="index">
{rows}
</ol>"""
    # Nothing was read, so nothing was executed either.
    below = notebooks if runs else ""
    return _whole(
        "blunderlab report",
        f'<main class="first">\n<h1>blunderlab report</h1>\n{first_html.draw(summary)}\n{below}\n</main>',
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


# A link to a neighbouring notebook, which the report has as a page.
_LINK = re.compile(r'href="([^":/?#]+)\.ipynb(?=["#])')
_TABLE = re.compile(r'<table border="1" class="dataframe">.*?</table>', re.DOTALL)
_HEADER = re.compile(r"<tr.*?</tr>(?=.*</thead>)", re.DOTALL)
_CELL = re.compile(r"<(t[hd])([^>]*)>(.*?)</t[hd]>", re.DOTALL)
_NUMBER = re.compile(r"[-+−]?\d[\d,]*\.?\d*(e[-+]?\d+)?( %)?|-?inf|NaN|NaT|nan|<NA>|None|")


def _tidy(found):
    """A frame's table with one header row and its columns of words marked, to stand on the left."""
    table = found[0]
    if "colspan" in table:
        return table
    header = [[list(c) for c in _CELL.findall(row)] for row in _HEADER.findall(table)]
    # pandas gives the names of the index a row of their own.
    if len(header) == 2 and len(header[0]) == len(header[1]):
        names = [a if a[2] else b for a, b in zip(*header, strict=True)]
        if not any(a[2] and b[2] for a, b in zip(*header, strict=True)):
            row = "".join(f"<th>{name}</th>" for _, _, name in names)
            table = re.sub(
                r"<thead>.*?</thead>",
                lambda _: f"<thead>\n<tr>{row}</tr>\n</thead>",
                table,
                flags=re.DOTALL,
            )
    # Counted from the right, for an index label that spans several rows is written once.
    words = set()
    head, body = table.split("<tbody>")
    for row in re.findall(r"<tr.*?</tr>", body, re.DOTALL):
        cells = _CELL.findall(row)[::-1]
        words |= {
            at
            for at, (_, _, text) in enumerate(cells)
            if not _NUMBER.fullmatch(html.unescape(text))
        }

    def mark(row):
        last = len(_CELL.findall(row[0])) - 1
        at = iter(range(last, -1, -1))
        return _CELL.sub(
            lambda c: (
                c[0].replace(f"<{c[1]}", f'<{c[1]} class="words"', 1) if next(at) in words else c[0]
            ),
            row[0],
        )

    return re.sub(r"<tr.*?</tr>", mark, f"{head}<tbody>{body}", flags=re.DOTALL)


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
