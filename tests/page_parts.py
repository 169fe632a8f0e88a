"""A report taken apart: its tags, texts and tables."""

from html.parser import HTMLParser

VOID = {"meta", "link", "img", "br", "wbr"}


class Page(HTMLParser):
    """The parts of a page; an error if tags do not match."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.tables, self.texts = [], [], [], {}
        self._captions = []
        self.feed(text)
        self.close()
        assert self.open == [], f"not closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")
        if tag == "table":
            self.tables.append([])
            self._captions.append(self.texts["figcaption"][-1])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> without a start"
        assert self.open.pop() == tag

    def handle_data(self, data):
        for tag in {*self.open}:
            self.texts[tag][-1] += data
        if {"td", "th"} & {*self.open}:
            self.tables[-1][-1][-1] += data

    def table(self, caption):
        """The rows of the table with a caption that begins so."""
        (found,) = [i for i, one in enumerate(self._captions) if one.startswith(caption)]
        return self.tables[found]

    def has_table(self, caption):
        """Whether there is a table with a caption that begins so."""
        return any(one.startswith(caption) for one in self._captions)

    @property
    def text(self):
        """All text of the page, in one line."""
        return " ".join(self.texts["body"][0].split())
