"""Markdown through the parser that GitHub uses."""

import json
import unittest

import cmarkgfm
from cmarkgfm.cmark import Options
from lxml import html

from scene import scene

ALLOWED = {
    "div", "h3", "h4", "p", "strong", "code", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "b", "ul",
    "li", "br", "blockquote", "em",
}


def page(text):
    return html.fromstring("<div>" + cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE) + "</div>")


class MarkdownTests(unittest.TestCase):
    def test_nothing_but_our_own_elements_comes_out(self):
        for name in scene().names:
            elements = {element.tag for element in page(scene().report(name, "markdown")).iter()}
            self.assertLessEqual(elements, ALLOWED, name)

    def test_every_row_has_the_cells_of_its_table(self):
        for name in scene().names:
            for table in page(scene().report(name, "markdown")).iter("table"):
                width = len(table.findall("thead/tr/th"))
                for row in table.findall("tbody/tr"):
                    self.assertEqual(len(row.findall("td")), width, name)

    def test_values_are_shown_as_they_are(self):
        text = page(scene().report("diff-new", "markdown")).text_content()
        for value in ["<script>document.title='taken'</script>", "a|b|c", "=cmd()", "]]>"]:
            self.assertIn(value, text)

    def test_no_report_is_too_long_for_a_comment(self):
        for name in scene().names:
            self.assertLess(len(scene().report(name, "markdown")), 65_536, name)

    def test_the_counts_are_those_of_the_json_report(self):
        for name in scene().names:
            plan = json.loads(scene().report(name, "json")).get("summary")
            tables = list(page(scene().report(name, "markdown")).iter("table"))
            if not plan or not tables or tables[0].findtext("thead/tr/th") != "create":
                continue
            keys = [cell.text for cell in tables[0].findall("thead/tr/th")]
            values = [int(cell.text) for cell in tables[0].findall("tbody/tr/td")]
            self.assertEqual(dict(zip(keys, values)), {key: plan[key] for key in keys}, name)


if __name__ == "__main__":
    unittest.main()
