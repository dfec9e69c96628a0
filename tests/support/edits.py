# SPDX-License-Identifier: Apache-2.0
"""Random edits of JSON documents in spelling, structure, encoding and order, by a generator of random numbers.

Each edit of EDITS is (name, what must become of it, function): KEPT must be read as if nothing had been edited, REFUSED must be
refused, EITHER is read so or refused, and what is DAMAGED may be read otherwise where it is read."""
import json

KEPT, REFUSED, EITHER, DAMAGED = "kept", "refused", "either", "damaged"


class Raw(str):
    """A number, literal or member as it stands in the text."""


class Pairs(list):
    """The members of an object as [name, value], in their order."""


def parsed(text):
    return json.loads(text, object_pairs_hook=lambda pairs: Pairs(map(list, pairs)), parse_int=Raw, parse_float=Raw)


class Style:
    """How a tree is written: blanks, and the spelling of texts and numbers."""

    def __init__(self, draw=None, blank=None, text=json.dumps, number=str):
        self.draw, self.blanks, self.text, self.number = draw, blank, text, number

    def blank(self):
        return "".join(self.draw.choice(self.blanks) for _ in range(self.draw.randrange(3))) if self.blanks else ""


def written(tree, style=Style()):
    blank = style.blank
    if isinstance(tree, Raw):
        return style.number(tree)
    if isinstance(tree, Pairs):
        return "{" + ",".join(f"{blank()}{name if isinstance(name, Raw) else style.text(name)}{blank()}:{blank()}{written(value, style)}{blank()}"
                              for name, value in tree) + "}"
    if isinstance(tree, list):
        return "[" + ",".join(blank() + written(value, style) + blank() for value in tree) + "]"
    return style.text(tree) if isinstance(tree, str) else json.dumps(tree)


def places(tree, wanted=lambda parent, key, value: True):
    """(parent, key) of all values that are wanted; the parent of an object's value is its pair, and its key is 1."""
    found, open_ = [], [tree]
    while open_:
        value = open_.pop()
        children = [(pair, 1) for pair in value] if isinstance(value, Pairs) else [(value, number) for number in range(len(value))]
        for parent, key in children:
            if wanted(parent, key, parent[key]):
                found.append((parent, key))
            if isinstance(parent[key], list):
                open_.append(parent[key])
    return found


def some(draw, tree, wanted=lambda parent, key, value: True):
    return draw.choice(places(tree, wanted))


def objects(tree):
    return [tree, *(parent[key] for parent, key in places(tree, lambda _, __, value: isinstance(value, Pairs)))]


def is_number(_, __, value):
    return isinstance(value, Raw)


def is_text(_, __, value):
    return isinstance(value, str) and not isinstance(value, Raw)


# Spelling

def blanks(draw, tree):
    return written(tree, Style(draw, (" ", "\t", "\n", "\r\n", "   ")))


def escapes(draw, tree):
    def spelled(text):
        pieces = []
        for letter in text:
            units = letter.encode("utf-16-be")
            codes = [f"\\u{int.from_bytes(units[at:at + 2], 'big'):04{draw.choice('xX')}}" for at in range(0, len(units), 2)]
            plain = json.dumps(letter, ensure_ascii=False)[1:-1]
            pieces.append("".join(codes) if draw.random() < 0.3 else "\\/" if letter == "/" and draw.random() < 0.5 else plain)
        return '"' + "".join(pieces) + '"'
    return written(tree, Style(text=spelled))


def plain_letters(_, tree):
    return written(tree, Style(text=lambda text: json.dumps(text, ensure_ascii=False)))


def respelled(draw, number):
    """The same double."""
    value = float(number)
    forms = [repr(value), f"{value:.17e}", f"{value:.16E}", f"{value:.17g}"]
    if value == int(value) and abs(value) < 2**53:
        forms += [str(int(value)), f"{int(value)}.0", f"{int(value)}.000", f"{int(value)}e0", f"{int(value)}E+00"] + ([f"{int(value)}0e-1"] if value else [])
    return draw.choice([form for form in forms if float(form) == value])


def numbers(draw, tree):
    return written(tree, Style(number=lambda number: respelled(draw, number)))


def no_number(draw, tree):
    parent, key = some(draw, tree, is_number)
    digits = "".join(draw.choice("123456789") for _ in range(draw.randrange(21, 40)))
    parent[key] = Raw(draw.choice([f"+{parent[key]}", f"0{parent[key]}", f"{parent[key]}.", ".5", "1.", "1.e3", "0x10", "NaN", "Infinity", "-Infinity",
                                   "nan", "1e999", "-1e400", "1e", "1e+", "--1", "1_000", "1,5", "- 1", "١", digits, "-" + digits, "1f", "1d0"]))
    return written(tree)


def no_literal(draw, tree):
    parent, key = some(draw, tree)
    parent[key] = Raw(draw.choice(["True", "None", "undefined", "nul", "tru", "'text'", "text", "`text`", '"text', "<b>", "(1)", "{]", "[}", "$1", "\\u0031"]))
    return written(tree)


def no_name(draw, tree):
    pair = draw.choice(draw.choice([each for each in objects(tree) if each]))
    pair[0] = Raw(draw.choice([pair[0] or "x", f"'{pair[0]}'", "1", "null", '"open', '"a" "b"', "[]"]))
    return written(tree)


def no_comma(draw, tree):
    text = written(tree)
    at = draw.choice([number for number, letter in enumerate(text) if letter in ",:{}[]"])
    return text[:at] + draw.choice(["", ",,", "::", ";", "=", "/* a comment */ ,", "// a comment\n", "# a comment\n", "\0", "\v", "\f", "\u00a0", "\ufeff"]) + text[at + 1:]


def no_escape(draw, tree):
    parent, key = some(draw, tree, is_text)
    wrong = draw.choice(["\\x41", "\\u12", "\\u12g4", "\\ud800", "\\udc00", "\\ud800\\u0041", "\\ud800x", "\\'", "\\0", "\\U00000041", "\n", "\t", "\x01", "\0", "\\"])
    parent[key] = Raw('"' + wrong + '"')
    return written(tree)


# Structure

def unknown_field(draw, tree):
    target = draw.choice([each for each in objects(tree) if each])
    target.insert(draw.randrange(len(target) + 1), [draw.choice(["flying", "Status", "", "nodes", "status ", "\u0000", "__proto__", "schemа"]),
                                                    draw.choice([Raw("1"), "x", None, Pairs(), []])])
    return written(tree)


def field_twice(draw, tree):
    target = draw.choice([each for each in objects(tree) if each])
    name, value = draw.choice(target)
    if draw.random() < 0.5:
        name = Raw('"' + "".join(f"\\u{ord(letter):04x}" if ord(letter) < 65536 else json.dumps(letter)[1:-1] for letter in name) + '"')
    target.insert(draw.randrange(len(target) + 1), [name, draw.choice([value, Raw("1"), "pass", None, [], Pairs()])])
    return written(tree)


def no_field(draw, tree):
    target = draw.choice([each for each in objects(tree) if each])
    del target[draw.randrange(len(target))]
    return written(tree)


def field_renamed(draw, tree):
    pair = draw.choice(draw.choice([each for each in objects(tree) if each]))
    pair[0] = draw.choice([pair[0] + "s", pair[0].upper() + "_", " " + pair[0], pair[0] + "\u200b", "x"])
    return written(tree)


def other_kind(draw, tree):
    """Of another kind than it is, so that no text becomes another and no number another."""
    parent, key = some(draw, tree)
    value = parent[key]
    kinds = {Raw: Raw(draw.choice(["1", "0", "-1", "1.5"])), str: draw.choice(["", "1", "pass"]), Pairs: Pairs([["x", "y"]]), list: ["x"],
             bool: True, type(None): None}
    kinds.pop(next(kind for kind in kinds if isinstance(value, kind) and (kind is not list or not isinstance(value, Pairs))
                   and (kind is not str or not isinstance(value, Raw))))
    parent[key] = draw.choice(list(kinds.values()))
    return written(tree)


def wrapped(draw, tree):
    parent, key = some(draw, tree)
    parent[key] = draw.choice([[parent[key]], Pairs([["value", parent[key]]]), [[parent[key]]]])
    return written(tree)


def unwrapped(draw, tree):
    filled = places(tree, lambda _, __, value: isinstance(value, list) and value)
    parent, key = draw.choice(filled)
    inner = parent[key][0]
    parent[key] = inner[1] if isinstance(parent[key], Pairs) else inner
    return written(tree)


def deep(draw, tree):
    parent, key = some(draw, tree)
    depth = draw.choice([10, 500, 1100, 5000])
    parent[key] = Raw(draw.choice(["[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth, "[" * depth]))
    return written(tree)


def moved(draw, tree):
    """A field into another object."""
    every = [each for each in objects(tree) if each]
    source = draw.choice(every)
    pair = source.pop(draw.randrange(len(source)))
    draw.choice(every).append(pair)
    return written(tree)


# Encoding

def other_encoding(draw, tree):
    return plain_letters(draw, tree).encode(draw.choice(["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-8-sig", "cp037"]))


def wrong_bytes(draw, tree):
    parent, key = some(draw, tree, is_text)
    parent[key] = "MARK"
    wrong = draw.choice([b"\xff", b"\xc3", b"\xc0\xaf", b"\xe0\x80\xaf", b"\xed\xa0\x80", b"\xed\xb0\x80", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80",
                         b"\x80", b"\xe2\x82", b"caf\xe9", b"\xfe\xfe"])
    return written(tree).encode().replace(b"MARK", wrong, 1)


def marked(draw, tree):
    text = written(tree).encode()
    return draw.choice([b"\xef\xbb\xbf" + text, text + b"\0", b"\0" + text, text + b"\0\0garbage", text + text, text + b"garbage", text + b"}", b"\x1f\x8b" + text,
                        b"\xef\xbb" + text, b")]}'\n" + text, text + b"\xff", b"\xc2\xa0" + text, b"\xef\xbb\xbf\xef\xbb\xbf" + text, b"", b" ", b"null", b"\n\n"])


def cut(draw, tree):
    text = written(tree).encode()
    return text[:draw.randrange(len(text))]


def around(draw, tree):
    return "".join(draw.choice(" \t\r\n") for _ in range(draw.randrange(9))) + written(tree) + draw.choice(["", "\n", "\r\n", " \t ", "\n\n\n"])


def damaged(draw, tree):
    """Some bytes of it."""
    text = bytearray(written(tree).encode())
    for _ in range(draw.choice([1, 1, 1, 2, 8])):
        at = draw.randrange(len(text))
        change = draw.randrange(4)
        if change == 0:
            text[at] ^= 1 << draw.randrange(8)
        elif change == 1:
            del text[at:at + draw.randrange(1, 9)]
        elif change == 2:
            text[at:at] = draw.randbytes(draw.randrange(1, 5))
        else:
            end = min(len(text), at + draw.randrange(1, 60))
            to = draw.randrange(len(text))
            text[to:to] = text[at:end]
    return bytes(text)


# Order

def fields_shuffled(draw, tree):
    for target in objects(tree):
        draw.shuffle(target)
    return written(tree)


def fields_of_one_shuffled(draw, tree):
    draw.shuffle(draw.choice(objects(tree)))
    return written(tree)


def fields_reversed(_, tree):
    for target in objects(tree):
        target.reverse()
    return written(tree)


EDITS = [(function.__name__, becomes, function) for becomes, functions in {
    KEPT: (blanks, escapes, plain_letters, numbers, around, fields_shuffled, fields_of_one_shuffled, fields_reversed),
    REFUSED: (no_number, no_literal, no_name, no_escape, field_twice, other_encoding, wrong_bytes, marked, cut),
    EITHER: (wrapped, deep),
    DAMAGED: (no_comma, unknown_field, no_field, field_renamed, other_kind, unwrapped, moved, damaged),
}.items() for function in functions]
