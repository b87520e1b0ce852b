"""What a script must know of Swift's text: which characters are code, and where functions stand."""

import re

TOKEN = re.compile(r"[A-Za-z_]\w*|[{}()\[\]]|[-+*/%=<>!&|^~?.]+|[@#:,;]")
TYPES = {"class", "struct", "enum", "extension", "protocol", "actor"}
ACCESSORS = {
    "get", "set", "_read", "_modify", "willSet", "didSet", "mutating", "nonmutating",
    "unsafeAddress", "unsafeMutableAddress", "consuming", "borrowing",
}


def code_only(text):
    """The text with each character of a comment or a string (and of what is interpolated into
    it) turned into NUL; as long as the text, and with its line ends."""
    out = list(text)

    def blank(start, end):
        for index in range(start, end):
            if out[index] != "\n":
                out[index] = "\0"

    index = 0
    while index < len(text):
        end = end_of_comment_or_string(text, index)
        if end is None:
            index += 1
        else:
            blank(index, end)
            index = end
    return "".join(out)


def end_of_comment_or_string(text, index):
    """Where a comment or string that starts here ends; None where none starts."""
    if text.startswith("//", index):
        end = text.find("\n", index)
        return len(text) if end < 0 else end
    if text.startswith("/*", index):
        return end_of_block_comment(text, index)
    # Three quotes open lines of text only where nothing follows them.
    opening = re.compile(r'(#*)("""(?=\n)|")').match(text, index)
    return end_of_string(text, opening) if opening else None


def end_of_block_comment(text, index):
    depth = 0
    for mark in re.compile(r"/\*|\*/").finditer(text, index):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return mark.end()
    return len(text)


def end_of_string(text, opening):
    hashes, quotes = opening.groups()
    index = opening.end()
    while index < len(text):
        if text.startswith("\\" + hashes, index):
            index += 1 + len(hashes)
            index = end_of_interpolation(text, index) if text[index] == "(" else index + 1
        elif text.startswith(quotes + hashes, index):
            return index + len(quotes) + len(hashes)
        else:
            index += 1
    return len(text)


def end_of_interpolation(text, index):
    depth = 0
    while index < len(text):
        inner = end_of_comment_or_string(text, index)
        if inner is not None:
            index = inner
            continue
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        index += 1
        if depth == 0:
            return index
    return len(text)


def closing_brace(code, opening):
    depth = 0
    for mark in re.compile(r"[{}]").finditer(code, opening):
        depth += 1 if mark.group() == "{" else -1
        if depth == 0:
            return mark.start()
    raise ValueError("a brace is not closed")


class Walk:
    """Walks the declarations of a file and collects the bodies of outermost functions."""

    def __init__(self, code):
        self.code = code
        self.found = []
        self.walk(0, len(code), accessors=False)

    def walk(self, index, end, accessors):
        kind, assigned = None, False
        while token := TOKEN.search(self.code, index, end):
            word, index = token.group(), token.end()
            dotted = self.code[token.start() - 1:token.start()] == "."
            if word in "([":
                index = self.after_brackets(token.start(), end)
            elif word == "{":
                close = closing_brace(self.code, token.start())
                self.enter(kind, assigned, accessors, index, close)
                kind, assigned, index = None, False, close + 1
            elif dotted:
                continue
            elif word in TYPES:
                kind = "type"
            elif word in {"func", "init", "deinit", "subscript", "var", "let", "case"}:
                kind, assigned = word, False
            elif word == "=":
                assigned = True

    def enter(self, kind, assigned, accessors, start, close):
        first = TOKEN.search(self.code, start, close)
        has_accessors = first is not None and (first.group() in ACCESSORS or first.group() == "@")
        if kind == "type":
            self.walk(start, close, accessors=False)
        elif accessors or kind in {"func", "init", "deinit"}:
            self.found.append((start, close))
        elif kind in {"var", "subscript"} and not assigned:
            if has_accessors:
                self.walk(start, close, accessors=True)
            else:
                self.found.append((start, close))

    def after_brackets(self, index, end):
        depth = 0
        for mark in re.compile(r"[()\[\]{}]").finditer(self.code, index, end):
            depth += 1 if mark.group() in "([{" else -1
            if depth == 0:
                return mark.end()
        return end


def function_bodies(code):
    """The ranges between the braces of each function, initializer and accessor that stands in no
    other; in order."""
    return Walk(code).found
