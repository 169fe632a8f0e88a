"""Find the cells of delimited text: where each begins and ends, row by row.

Quotes are those of R and of spreadsheets: a cell that begins with the quote character ends with the
next one that is not doubled, and may contain separators and line breaks between them. Within other
cells a quote character is text. Lines that are empty are skipped, as by R.
"""

from typing import Any

from pycdf.kernels.compile import entry

_BLANK, _TAB, _NEWLINE, _RETURN, _BACKSLASH = 32, 9, 10, 13, 92


@entry
def split_cells(
    text: Any, sep: Any, quote: Any, merge: Any, starts: Any, stops: Any, sizes: Any, lines: Any
) -> Any:
    """Find all cells.

    Parameters
    ----------
    text : uint8
        All bytes of the text.
    sep, quote : int
        The bytes that separate cells and that quote them; -1 for a quote means that nothing does.
    merge : bool
        Whether any run of blanks and tabs is one separator (then ``sep`` is a blank), and a
        backslash in quotes goes with the character after it, as R's ``write.table`` writes.
    starts, stops : integers
        Get the range of each cell, quotes included. They must have room for one cell more than the
        text has separators and line ends.
    sizes, lines : integers
        Get the number of cells of each row, and the line of the file that it begins on, from 1.

    Returns
    -------
    int
        The number of rows; if a quote has no end, minus the line that it is on.
    """
    size = len(text)
    at = 0
    line = 1
    row = 0
    cell = 0
    while at < size:
        if text[at] == _NEWLINE or text[at] == _RETURN:  # an empty line
            line += 1
            at += 2 if text[at] == _RETURN and at + 1 < size and text[at + 1] == _NEWLINE else 1
            continue
        lines[row] = line
        first = cell
        while True:
            if merge:
                while at < size and (text[at] == _BLANK or text[at] == _TAB):
                    at += 1
                # Blanks at the end of a line separate nothing
                if cell > first and (at == size or text[at] == _NEWLINE or text[at] == _RETURN):
                    break
            starts[cell] = at
            if at < size and text[at] == quote:
                opened = line
                at += 1
                while True:
                    if at == size:
                        return -opened
                    byte = text[at]
                    if merge and byte == _BACKSLASH and at + 1 < size:
                        at += 1
                    elif byte == quote:
                        if at + 1 < size and text[at + 1] == quote:
                            at += 1
                        else:
                            break
                    elif byte == _NEWLINE or (
                        byte == _RETURN and not (at + 1 < size and text[at + 1] == _NEWLINE)
                    ):
                        line += 1
                    at += 1
            while at < size:
                byte = text[at]
                if byte in (sep, _NEWLINE, _RETURN) or (merge and byte == _TAB):
                    break
                at += 1
            stops[cell] = at
            cell += 1
            if at == size or text[at] == _NEWLINE or text[at] == _RETURN:
                break
            at += 1
        sizes[row] = cell - first
        row += 1
        if at < size:
            line += 1
            at += 2 if text[at] == _RETURN and at + 1 < size and text[at + 1] == _NEWLINE else 1
    return row
