"""Random texts of one script each, to compare orders of text."""

import random
import unicodedata

SCRIPTS = {
    "ascii": range(1, 128),
    "latin": [*range(0x41, 0x5B), *range(0x61, 0x7B), *range(0xA0, 0x250), *range(0x1E00, 0x1F00)],
    "marks": [*range(0x61, 0x69), *range(0x300, 0x370), 0x418, 0x438, 0x1DC0, 0x20D0],
    "greek_cyrillic": range(0x370, 0x530),
    "hebrew_arabic": range(0x591, 0x700),
    "indic": range(0x900, 0xE00),
    "thai_lao_tibetan": range(0xE01, 0xFD0),
    "hangul": [*range(0x1100, 0x1200), *range(0xAC00, 0xD7A4)],
    "kana": range(0x3000, 0x3400),
    "han": [*range(0x3400, 0xA000), *range(0xF900, 0xFB00), *range(0x20000, 0x32400)],
    "symbols": range(0x2000, 0x2C00),
    "wide": range(0xFF00, 0xFFF0),
    "emoji": [*range(0x1F300, 0x1FB00), 0x200D, 0xFE0F],
    "anything": [*range(1, 0xD800), *range(0xE000, 0x110000)],
}


def random_texts(draw: random.Random, pool: list[int], n: int) -> list[str]:
    """Texts of one script, many of them small changes of others, so that late levels decide."""
    texts = [""]
    while len(texts) < n:
        if draw.random() < 0.5:
            made = "".join(chr(draw.choice(pool)) for _ in range(draw.randrange(1, 7)))
        else:
            parts = list(draw.choice(texts))
            at = draw.randrange(len(parts) + 1)
            change = draw.randrange(4)
            if change == 0:
                parts.insert(at, chr(draw.choice(pool)))
            elif change == 1:
                parts[at : at + 3] = reversed(parts[at : at + 3])
            made = "".join(parts)
            if change == 2:
                made = made.swapcase()
            elif change == 3:
                made = unicodedata.normalize(draw.choice(["NFC", "NFD", "NFKD"]), made)
        texts.append(made)
    return texts
