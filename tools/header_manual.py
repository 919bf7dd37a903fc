"""Writes section 3 of the manual from the comments of the public header.

    header_manual.py --list HEADER
    header_manual.py HEADER TEMPLATE VERSION DATE FOLDER

With --list it prints the names of the pages, one a line. Else it writes them into the folder: a
page for each function, one for each type of OWN_PAGE, links that lead from other types to a page
that shows them, and libnqueens.3, for which it fills in the template.

The header is read as it is written, by these rules:

- A banner, /* ==== Title ==== */, begins a section. What stands before the first one, but for the
  comment at the top, is not for the manual.
- A comment directly above a declaration belongs to it. Its first paragraph begins with the name
  and a verb; "Returns", "Threads:" or the name of a parameter with a colon begins another one. A
  comment with an empty line below belongs to all functions of the section.
- A comment beside a member, or above it, belongs to the member.
- Functions named *_sized are for other languages: only their section's comment is shown.
"""
import os
import re
import sys

OWN_PAGE = ("nq_options", "nq_status")  # most functions use them

# Where to look, said for readers of a page.
PLACES = {"the top of this file": "libnqueens(3)", " at the top": " above",
          "The functions below": "These functions"}

DECLARATION = re.compile(r"""
    /\*\ ====\ (?P<banner>.*?)\ =+\ \*/
  | /\*(?P<comment>.*?)\*/(?P<below>\n*)
  | \#define\ (?P<macro>\w+)[ ]+(?P<value>\S+)\n
  | \#[^\n]*\n
  | enum\ \{(?P<constants>[^}]*)\};\n
  | typedef\ (?P<kind>enum|struct)\ (?P<type>\w+)\ \{(?P<body>.*?)\n\}\ \w+;\n
  | typedef\ struct\ (?P<opaque>\w+)\ \w+;\n
  | typedef\ (?P<callback>\w+\ \(\*(?P<callback_name>\w+)\)\([^;]*\));\n
  | NQ_(?:API|INLINE)\ (?P<result>[^;{]*?[ *])(?P<function>nq_\w+)\((?P<parameters>[^;{]*)\)
    (?P<end>;|\ \{.*?\n\}\n)
  | [^\n]*\n
""", re.X | re.S)


class Type:
    def __init__(self, name, comment, members, prototype=""):
        self.name, self.comment, self.members = name, comment, members
        self.prototype = prototype


class Function:
    def __init__(self, name, result, parameters, comment):
        self.name, self.result, self.parameters = name, result.strip(), parameters
        self.comment = comment
        self.names = [re.search(r"(\w+)(?:\[\])?$", p)[1] for p in parameters if p != "void"]


class Section:
    def __init__(self, title):
        self.title, self.comments, self.functions, self.types = title, [], [], []


class Header:
    def __init__(self, text):
        self.sections, self.types, self.limits, self.statuses = [], {}, [], {}
        self.top = paragraphs(re.match(r"/\*(.*?)\*/", text, re.S)[1])
        self.read(text[text.index("/* ==== "):])
        self.values = {name: value for names, _ in self.limits for name, value in names}
        for name, value, comment in self.types["nq_status"].members:
            self.statuses[name] = comment

    def read(self, text):
        comment = []
        for found in DECLARATION.finditer(text):
            if found["banner"]:
                self.sections.append(Section(found["banner"]))
            section = self.sections[-1]
            if found["comment"]:
                comment = paragraphs(found["comment"])
                if len(found["below"]) > 1:
                    section.comments += comment
                    comment = []
                continue
            if found["macro"]:
                if comment or not self.limits:
                    self.limits.append(([], comment))
                self.limits[-1][0].append((found["macro"], found["value"]))
            elif found["constants"]:
                self.limits.append((re.findall(r"(\w+) = (\w+)", found["constants"]), comment))
            elif found["type"]:
                members = constants if found["kind"] == "enum" else fields
                self.add_type(found["type"], comment, members(found["body"]))
            elif found["opaque"]:
                self.add_type(found["opaque"], comment, [])
            elif found["callback"]:
                self.add_type(found["callback_name"], comment, [], one_line(found["callback"]))
            elif found["function"] and found["function"].endswith("_sized"):
                section.comments += comment
            elif found["function"] and found["end"] == ";":
                parameters = one_line(found["parameters"]).split(", ")
                section.functions.append(Function(found["function"], one_line(found["result"]),
                                                  parameters, comment))
            elif not found[0].strip():
                continue
            comment = []

    def add_type(self, name, comment, members, prototype=""):
        self.types[name] = Type(name, comment, members, prototype)
        self.sections[-1].types.append(name)

    def functions(self):
        return [function for section in self.sections for function in section.functions]

    def types_in(self, text):
        """The types that a text names, and those that they name, without those with own pages."""
        found = []
        for name in re.findall(r"\bnq_\w+\b(?!\()", text):
            if name in self.types and name not in OWN_PAGE and name not in found:
                members = " ".join(member[0] for member in self.types[name].members)
                found += [name] + [more for more in self.types_in(members) if more not in found]
        return list(dict.fromkeys(found))

    def shown_with(self, function):
        return self.types_in(" ".join([function.result, *function.parameters]))

    def shown_with_type(self, name):
        """A type with a page of its own shows the others of its section."""
        section = next(section for section in self.sections if name in section.types)
        return [other for other in section.types if other not in OWN_PAGE]

    def links(self):
        """For each type without a page of its own, the page that shows it."""
        links = {}
        for function in self.functions():
            for name in self.shown_with(function):
                links.setdefault(name, function.name)
        for page in OWN_PAGE:
            for name in self.shown_with_type(page):
                links.setdefault(name, page)
        return links

    def pages(self):
        names = [function.name for function in self.functions()]
        return [f"{name}.3" for name in ["libnqueens", "nqueens", *names, *OWN_PAGE,
                                         *self.links()]]


def one_line(text):
    return " ".join(text.split())


def paragraphs(comment):
    """The paragraphs of a comment, each a list of lines without stars."""
    found = [[]]
    for line in comment.strip().split("\n"):
        line = re.sub(r"^ \* ?", "", line).rstrip()
        if line:
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return [paragraph for paragraph in found if paragraph]


def with_comments(body, declaration):
    """Declarations of a body, each with the comment beside it or above it."""
    found, above, end = [], "", -1
    for match in re.finditer(rf"/\*(.*?)\*/|({declaration})", body, re.S):
        if match[1] is None:
            found.append([one_line(match[2]), above])
            above, end = "", match.end()
        else:
            text = one_line(re.sub(r"\n *\*?(?= )", "\n", match[1]))
            if end >= 0 and "\n" not in body[end:match.start()]:
                found[-1][1] = text
            else:
                above = text
    return found


def fields(body):
    return [(declaration[:-1], None, comment)
            for declaration, comment in with_comments(body, r"[\w][^;]*;")]


def constants(body):
    found, value = [], -1
    for declaration, comment in with_comments(body, r"NQ_\w+(?: = \d+)?,?"):
        name, _, given = declaration.rstrip(",").partition(" = ")
        value = int(given) if given else value + 1
        found.append((name, value, comment))
    return found


# Text in roff

def escape(text):
    """A '-' within a word is a hyphen. Any other one is typed, and stays as it is."""
    text = text.replace("\\", "\\e")
    return re.sub(r"(?<![A-Za-z])-|-(?![A-Za-z])", r"\\-", text)


def marked(text):
    """Text with the names of functions, types and parameters in their fonts."""
    text = escape(text)
    text = re.sub(r"\b(nq_\w+)(\(\))?", lambda found: rf"\%\fB{found[1]}\fP()" if found[2]
                  else rf"\%\fI{found[1]}\fP", text)  # \%: not to be hyphenated
    return re.sub(r"`([^`]*)`", r"\\fI\1\\fP", text)


def prose(text):
    """Lines of roff, a sentence each."""
    for here, there in PLACES.items():
        text = text.replace(here, there)
    begin = r"[A-Z*\"\\]|\d+: |[a-z]+\["  # of a sentence, which may be code
    lines = re.sub(rf"(?<=[a-z0-9)\]\"P][.?]) (?={begin})", "\n", marked(text)).split("\n")
    return [f"\\&{line}" if line[:1] in (".", "'") else line for line in lines]


def capital(text):
    """The text with a capital letter, unless it begins with a name."""
    return text[0].upper() + text[1:] if re.match(r"[a-z]+\b(?<!^n)(?!_|\()", text) else text


def quoted(text):
    """Text for a macro, which would take quotes for its own."""
    return text.replace('"', "\\(dq")


def ended(text):
    return text if text.endswith((".", ":")) else text + "."


class Page:
    def __init__(self, header, name, version, date):
        self.header, self.name = header, name
        self.lines = [f".Dd {date}", f".Dt {name.upper()} 3", f'.Os "nqueens {version}"']

    def add(self, *lines):
        self.lines += lines

    def say(self, text):
        self.add(*prose(text))

    def items(self, rows, compact=False):
        """A list of macros and texts."""
        self.add(".Bl -tag -width Ds" + (" -compact" if compact else ""))
        for macro, text in rows:
            self.add(f".It {macro}")
            if text:
                self.say(ended(text))
        self.add(".El")

    def with_values(self, text):
        """The text with the values of limits, which readers should not have to look up."""
        return re.sub(r"\b(NQ_MAX_\w+)\b(?! \()",
                      lambda found: f"{found[1]} ({self.header.values[found[1]]})", text)

    def begin(self, about):
        about = quoted(escape(about.replace("`", "")))
        self.add(".Sh NAME", f".Nm {self.name}", f".Nd {about}",
                 ".Sh LIBRARY", r".Ql pkg\-config \-\-cflags \-\-libs nqueens",
                 ".Sh SYNOPSIS", ".In nqueens/nqueens.h")

    def show_type(self, name, comments=True):
        shown = self.header.types[name]
        if comments:
            for number, paragraph in enumerate(shown.comment):
                self.add(*[".Pp"] * (number > 0))
                self.say(one_line(" ".join(paragraph)))
        if shown.prototype:
            self.add(".Bd -literal -offset indent", escape(shown.prototype) + ";", ".Ed")
        rows = [(f"Vt {escape(name)}" if value is None else f"Dv {name} No = {value}",
                 self.with_values(comment)) for name, value, comment in shown.members]
        if rows:
            self.items(rows, compact=True)

    def see_also(self, names):
        names = sorted({"libnqueens", *names} - {self.name})
        self.add(".Sh SEE ALSO", *[f".Xr {name} 3 ," for name in names[:-1]], f".Xr {names[-1]} 3")

    def write(self, folder):
        with open(os.path.join(folder, f"{self.name}.3"), "w", encoding="utf-8") as file:
            file.write("\n".join(self.lines) + "\n")


def about(name, comment):
    """What the first sentence of a comment says about its name, without a source's address."""
    text = one_line(" ".join(comment[0])) if comment else ""
    found = re.match(rf"{name}(?:\(\))? (.*?)(?:: http.*|(?<!\.)\.(?: .*)?|(?<=\.\.\.) .*)?$", text)
    if not found:
        sys.exit(f"{name}: its comment does not say in a sentence what it is or does")
    return found[1]


def split_parameters(text, function):
    """A paragraph "n: ... options: ..." as pairs; none if it is another one."""
    names = "|".join(function.names) or "-"
    pattern = rf"(?:(?<=^)|(?<=\. )|(?<=; ))(\*?(?:{names})(?:\[[^\]]*\])?): "
    parts = re.split(pattern, text)
    return list(zip(parts[1::2], (part.strip() for part in parts[2::2]))) if not parts[0] else []


def split_statuses(lines):
    """The lines of "Returns ..., or", its list of statuses, and what follows the list."""
    first, items, last = [], [], []
    for line in lines:
        complete = not items or items[-1].endswith((";", "."))
        if line.startswith("  ") and line.strip().startswith("NQ_") and complete:
            items.append(line.strip())
        elif line.startswith("  ") and items or not complete:
            items[-1] += " " + line.strip()
        else:
            (last if items else first).append(line.strip())
    return " ".join(first), items, " ".join(last)


def status_row(header, item):
    names, _, text = item.rstrip(";.").partition(": ")
    if not text:
        text = "; ".join(header.statuses[name] for name in re.findall(r"NQ_\w+", names))
    return "Dv " + re.sub("[,;]", " ,", names), capital(text)


def function_page(header, section, function, version, date):
    page = Page(header, function.name, version, date)
    page.begin(about(function.name, function.comment))
    page.add(f".Ft {function.result}", f".Fo {function.name}",
             *[f'.Fa "{parameter}"' for parameter in function.parameters], ".Fc",
             ".Sh DESCRIPTION")
    returned, threads, first = [], [], True
    texts = [(paragraph, one_line(" ".join(paragraph)))
             for paragraph in function.comment + section.comments]
    for paragraph, text in texts:
        rows = split_parameters(text, function)
        if text.startswith("Returns "):
            returned = paragraph
        elif text.startswith("Threads: "):
            threads.append(text.removeprefix("Threads: "))
        elif rows:
            page.items([(f"Fa {escape(name)}", page.with_values(about_it))
                        for name, about_it in rows])
            first = False
        else:
            page.add(*[".Pp"] * (not first))
            page.say(text)
            first = False
    for name in header.shown_with(function):
        page.add(f".Ss {name}")
        page.show_type(name)
    if returned:
        text, items, more = split_statuses(returned)
        page.add(".Sh RETURN VALUES")
        page.say(text if items else ended(text))
        if items:
            page.items([status_row(header, item) for item in items])
        if more:
            page.add(".Pp")
            page.say(more)
    if threads:
        page.add(".Sh THREADS")
        page.say(" ".join(capital(text) for text in threads))
    page.see_also([name for name in OWN_PAGE if name in " ".join(
        [function.result, *function.parameters])] + [other.name for other in section.functions])
    return page


def type_page(header, name, version, date):
    page = Page(header, name, version, date)
    page.begin(about(name, header.types[name].comment))
    page.add(f".Vt {name}", ".Sh DESCRIPTION")
    page.show_type(name)
    for other in header.shown_with_type(name):
        page.add(f".Ss {other}")
        page.show_type(other)
    page.see_also([function.name for function in header.functions()
                   if name in " ".join([function.result, *function.parameters])])
    return page


def overview(header):
    """The parts of libnqueens.3: what the top of the header says, all functions, and limits."""
    page = Page(header, "libnqueens", "", "")
    page.lines = []
    for number, lines in enumerate(header.top[1:]):
        text = one_line(" ".join(lines))
        titled = re.match(r"([A-Z][a-z]+)\. ", text)
        if text.startswith("Words: "):
            words = re.findall(r"(?m)^  (\w+) +((?:.*\n?)(?:^ {4,}.*\n?)*)", "\n".join(lines[1:]))
            page.add(".Ss Words")
            page.items([(f"Em {word}", one_line(meaning)) for word, meaning in words], compact=True)
        elif titled:
            page.add(f".Ss {titled[1]}")
            page.say(text[titled.end():])
        else:
            page.add(*[".Pp"] * (number > 0))
            page.say(text)
    description, page.lines = page.lines, []
    for section in header.sections:
        if section.functions:
            page.add(f".Ss {section.title}")
            page.items([(f"Xr {function.name} 3", about(function.name, function.comment))
                        for function in section.functions], compact=True)
        elif section.comments:
            page.add(f".Ss {section.title}")
            for paragraph in section.comments:
                page.say(one_line(" ".join(paragraph)))
    functions, page.lines = page.lines, []
    page.items([(" , ".join(f"Dv {name} Po {quoted(value)} Pc" for name, value in names),
                 one_line(" ".join(sum(comment, [])))) for names, comment in header.limits])
    return {"@DESCRIPTION@": description, "@FUNCTIONS@": functions, "@LIMITS@": page.lines}


def fill(template, marks, version, date):
    for mark, lines in marks.items():
        template = template.replace(mark + "\n", "\n".join(lines) + "\n")
    return template.replace("@VERSION@", version).replace("@DATE@", date)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main(arguments):
    if arguments[0] == "--list":
        print("\n".join(Header(read(arguments[1])).pages()))
        return
    path, template, version, date, folder = arguments
    header = Header(read(path))
    for section in header.sections:
        for function in section.functions:
            function_page(header, section, function, version, date).write(folder)
    for name in OWN_PAGE:
        type_page(header, name, version, date).write(folder)
    texts = {name: f".so man3/{page}.3\n" for name, page in header.links().items()}
    texts["libnqueens"] = fill(read(template), overview(header), version, date)
    texts["nqueens"] = ".so man3/libnqueens.3\n"
    for name, text in texts.items():
        with open(os.path.join(folder, f"{name}.3"), "w", encoding="utf-8") as file:
            file.write(text)


main(sys.argv[1:])
