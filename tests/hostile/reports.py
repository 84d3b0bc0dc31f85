"""Hostile PDF files: page trees that loop, boxes as wide as a country, forms in forms, pages without number."""

from __future__ import annotations

import zlib

from tests.pdf_pages import Page, document

_FONT = "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
_TABLE = "| 2024 | 2023\nNorth | 1,000 | 2,000\nSouth | 3,000 | 4,000\nEast | 5,000 | 6,000"


def report() -> bytes:
    """An ordinary page with a table, to be damaged."""
    page = Page()
    page.rows(_TABLE, (72, 300, 400), 100)
    return document([page])


def assembled(*objects: bytes | str) -> bytes:
    """A file of these objects, numbered from 1; the first is the catalogue."""
    out = b"%PDF-1.7\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        content = body.encode("latin-1") if isinstance(body, str) else body
        out += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    start = len(out)
    size = len(objects) + 1
    out += f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n".encode()
    return out + f"startxref\n{start}\n%%EOF\n".encode()


def _stream(head: str, content: bytes) -> bytes:
    return f"<< {head} /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream"


def one_page(content: bytes, *more: bytes | str, head: str = "", page: str = "", resources: str = _FONT) -> bytes:
    """A file with one page of this content; further objects are numbered from 5."""
    return assembled(
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R {page or '/MediaBox [0 0 595 842]'} /Contents 4 0 R"
        f" /Resources << {resources} >> >>",
        _stream(head, content),
        *more,
    )


def nested_objects() -> bytes:
    """Arrays in arrays, a hundred thousand deep, where the page's contents should be."""
    return assembled(
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {'[' * 100_000}{']' * 100_000} >>",
    )


def inflating_content() -> bytes:
    """A few kilobytes of compressed content that become a gigabyte of nothing."""
    packer = zlib.compressobj(9)
    once = b"".join(packer.compress(bytes(1 << 20)) for _ in range(1024)) + packer.flush()
    return one_page(zlib.compress(once, 9), head="/Filter [/FlateDecode /FlateDecode]")


def endless_text() -> bytes:
    """More characters than any page holds, at one place."""
    return one_page(b"BT /F1 9 Tf 72 700 Td " + b"(9,999.99 ) Tj " * 300_000 + b"ET")


def claimed_pages() -> bytes:
    """A page tree that says it holds two thousand million pages."""
    return report().replace(b"/Count 1 >>", b"/Count 2000000000 >>")


def many_pages() -> bytes:
    """One page, listed fifty thousand times."""
    kids = "3 0 R " * 50_000
    return assembled(
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count 50000 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
    )


def giant_page() -> bytes:
    """A page as wide as a country, with a table in its corner."""
    return report().replace(b"/MediaBox [0 0 595 842]", b"/MediaBox [-2e9 -2e9 2e9 2e9]")


def page_without_size() -> bytes:
    return report().replace(b"/MediaBox [0 0 595 842]", b"/MediaBox [0 0 0 0]")


def forms_in_forms() -> bytes:
    """Twenty-four forms, each drawing the next one twice: sixteen million times the last."""
    depth = 24
    forms = [
        _stream(
            f"/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X {number + 1} 0 R >> >>",
            b"/X Do /X Do",
        )
        for number in range(5, 5 + depth)
    ]
    last = _stream(
        f"/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << {_FONT} >>", b"BT /F1 9 Tf (1) Tj ET"
    )
    return one_page(b"/X Do /X Do", *forms, last, resources=f"{_FONT} /XObject << /X 5 0 R >>")


def form_in_itself() -> bytes:
    head = "/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X 5 0 R >> >>"
    return one_page(b"/X Do", _stream(head, b"/X Do /X Do"), resources="/XObject << /X 5 0 R >>")


def cyclic_pages() -> bytes:
    """A page tree whose branch is its own root."""
    return assembled(
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Parent 3 0 R /Kids [3 0 R 2 0 R] /Count 4 >>",
        "<< /Type /Pages /Parent 2 0 R /Kids [2 0 R 3 0 R] /Count 4 >>",
    )


def encrypted() -> bytes:
    """A file that cannot be opened without its password."""
    lock = f"<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <{'41' * 32}> /U <{'42' * 32}> >>"
    return report().replace(b"/Root 1 0 R", f"/Root 1 0 R /Encrypt {lock} /ID [<{'43' * 16}> <{'43' * 16}>]".encode())


def truncated() -> bytes:
    content = report()
    return content[: len(content) // 2]


def many_lines() -> bytes:
    """Three hundred thousand ruling lines that cross each other."""
    across = b"".join(b"0 %d m 595 %d l S\n" % (n % 842, n % 842) for n in range(150_000))
    upright = b"".join(b"%d 0 m %d 842 l S\n" % (n % 595, n % 595) for n in range(150_000))
    return one_page(across + upright)
