"""What a browser measures on a page, as JavaScript expressions; a list names what is wrong."""

# Elements whose right edge is outside the window, unless they are in a box that scrolls.
OUTSIDE = """[...document.querySelectorAll('body *')].filter(e => {
    if (e.closest('.scroll, .picture, pre') || e.closest('details:not([open])')) return false;
    const box = e.getBoundingClientRect();
    return box.width > 0 && (box.right > innerWidth + 0.5 || box.left < -0.5);
}).map(e => e.outerHTML.slice(0, 80))"""
# Boxes that hide what does not fit; those that scroll are allowed to.
CUT = """[...document.querySelectorAll('body *')].filter(e => {
    const style = getComputedStyle(e);
    return e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1 &&
        !['visible', 'auto'].includes(style.overflowX);
}).map(e => e.outerHTML.slice(0, 80))"""
# Text of a picture that is outside of it: a picture scrolls or scales as a whole.
TEXT_OUTSIDE = """[...document.querySelectorAll('svg text')].filter(e => {
    const box = e.getBoundingClientRect(), all = e.closest('svg').getBoundingClientRect();
    return box.left < all.left - 1 || box.right > all.right + 1 ||
        box.top < all.top - 2 || box.bottom > all.bottom + 2;
}).map(e => e.textContent)"""
# Text of a tree that leaves the box of its node.
TEXT_IN_NODES = """[...document.querySelectorAll('svg.tree text')].filter(e => {
    const box = e.getBBox();
    return ![...document.querySelectorAll('svg.tree rect.node')].some(r => {
        const node = r.getBBox();
        return box.x >= node.x && box.x + box.width <= node.x + node.width &&
            box.y >= node.y - 1 && box.y + box.height <= node.y + node.height;
    });
}).map(e => e.textContent)"""
# How many labels the map has, and how many of them overlap.
LABELS = """(() => {
    const boxes = [...document.querySelectorAll('svg.map text')].map(e => e.getBBox());
    let meet = 0;
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => {
        meet += a.x < b.x + b.width && b.x < a.x + a.width &&
            a.y + 3 < b.y + b.height && b.y + 3 < a.y + a.height;
    }));
    return [boxes.length, meet];
})()"""
# The smallest text of all pictures, in pixels.
SMALLEST = """Math.min(...[...document.querySelectorAll('svg text')].map(e => {
    const svg = e.closest('svg'), width = svg.getBoundingClientRect().width;
    return parseFloat(getComputedStyle(e).fontSize) * width / svg.viewBox.baseVal.width;
}))"""
# Unfold everything.
OPEN_ALL = "document.querySelectorAll('details').forEach(e => e.open = true)"
# Text with less contrast to what is behind it than WCAG asks for, 4.5 to 1.
CONTRAST = """(() => {
    const parse = c => [...c.match(/[\\d.]+/g).map(Number), 1].slice(0, 4);
    const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3]));
    const behind = e => {
        let colours = [];
        for (; e; e = e.parentElement) colours.push(parse(getComputedStyle(e).backgroundColor));
        return colours.reverse().reduce((below, c) => over(c, below), [255, 255, 255]);
    };
    const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= 0.04045 ? v / 12.92
        : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const bad = new Set();
    const walk = document.createTreeWalker(document.querySelector('body'), NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const e = walk.currentNode.parentElement;
        if (!walk.currentNode.textContent.trim() || e.closest('title')) continue;
        const below = behind(e), style = getComputedStyle(e);
        const ink = over(parse(e.closest('text') ? style.fill : style.color), below);
        const [a, b] = [light(ink), light(below)].sort((x, y) => y - x);
        if ((a + 0.05) / (b + 0.05) < 4.5) bad.add(e.outerHTML.slice(0, 90));
    }
    return [...bad];
})()"""
# Tables that have to be scrolled, by their captions.
SCROLLED = """[...document.querySelectorAll('.scroll')].filter(e =>
    e.scrollWidth > e.clientWidth + 1).map(e => e.parentElement.textContent.slice(0, 60))"""
# The widths of the columns with bars, table by table.
BAR_COLUMNS = """[...document.querySelectorAll('table.bars')].map(table =>
    [...table.querySelectorAll('tbody tr:first-child td')].map(e => e.offsetWidth))"""
# Bars that leave their table or the box around it.
CUT_BARS = """[...document.querySelectorAll('.bar')].filter(e => {
    const edge = e.closest('.scroll').getBoundingClientRect().right;
    return e.getBoundingClientRect().right > edge + 0.5;
}).map(e => e.parentElement.textContent)"""
# Heads of columns with bars that are broken within a word.
BROKEN_HEADS = """[...document.querySelectorAll('table.bars thead th')].filter(e => {
    const range = document.createRange();
    range.selectNodeContents(e);
    const lines = new Set([...range.getClientRects()].map(one => Math.round(one.top)));
    return lines.size > e.textContent.trim().split(' ').length;
}).map(e => e.textContent)"""
