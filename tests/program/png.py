"""A decoder for the PNG files that the program writes: 8 bits each of red, green and blue.

https://www.w3.org/TR/png/"""
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
PIXEL = 3  # bytes


def chunks(data):
    """Types and contents of the chunks. Raises ValueError if a file is damaged or too long."""
    if not data.startswith(SIGNATURE):
        raise ValueError("no PNG")
    at, kind = len(SIGNATURE), b""
    while kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", data, at)
        content = data[at + 8:at + 8 + length]
        if struct.unpack_from(">I", data, at + 8 + length)[0] != zlib.crc32(kind + content):
            raise ValueError(f"checksum of {kind}")
        yield kind, content
        at += length + 12
    if at != len(data):
        raise ValueError("bytes after the end")


def paeth(left, above, corner):
    """The one of the three that is nearest to left + above - corner."""
    guess = left + above - corner
    return min((abs(guess - left), 0, left), (abs(guess - above), 1, above),
               (abs(guess - corner), 2, corner))[2]


def unfiltered(kind, line, above):
    """A line's bytes, from its filtered bytes and the line above."""
    if kind == 0:
        return line
    if kind == 2:
        return bytes([(value + up) & 255 for value, up in zip(line, above)])
    known = bytearray(line)
    for i, value in enumerate(line):
        left, corner = (known[i - PIXEL], above[i - PIXEL]) if i >= PIXEL else (0, 0)
        guess = (left, (left + above[i]) // 2, paeth(left, above[i], corner))[(1, 3, 4).index(kind)]
        known[i] = (value + guess) & 255
    return bytes(known)


class Image:
    """width, height, and pixels as rows of bytes."""

    def __init__(self, data):
        parts = list(chunks(data))
        header = dict(parts)[b"IHDR"]
        self.width, self.height, *rest = struct.unpack(">2I5B", header)
        if parts[0][0] != b"IHDR" or rest != [8, 2, 0, 0, 0]:  # RGB, no interlace
            raise ValueError(f"unexpected kind of PNG: {rest}")
        stored = zlib.decompress(b"".join(content for kind, content in parts if kind == b"IDAT"))
        size = self.width * PIXEL
        if len(stored) != (size + 1) * self.height:
            raise ValueError("number of pixels")
        self.rows, above = [], bytes(size)
        for at in range(0, len(stored), size + 1):
            above = unfiltered(stored[at], stored[at + 1:at + 1 + size], above)
            self.rows.append(above)

    def at(self, x, y):
        return tuple(self.rows[y][x * PIXEL:x * PIXEL + PIXEL])

    def where(self, matches):
        """The places (x, y) of all pixels whose colours match. Each colour is tried once."""
        known, found = {}, []
        for y, row in enumerate(self.rows):
            for x, colour in enumerate(zip(row[::PIXEL], row[1::PIXEL], row[2::PIXEL])):
                if colour not in known:
                    known[colour] = matches(colour)
                if known[colour]:
                    found.append((x, y))
        return found
