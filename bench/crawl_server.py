"""Serve a synthetic site for bench_crawl: ``python crawl_server.py PAGES KILOBYTES``; prints its port. Every page links to 90 others."""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random

VOWELS, CONSONANTS = "aeiou", "bdfgklmnprst"
RANDOM = Random(1)
WORDS = ["".join(RANDOM.choice(CONSONANTS) + RANDOM.choice(VOWELS) for _ in range(RANDOM.randint(1, 4))) for _ in range(3000)]


def page(number: int, pages: int, size: int) -> bytes:
    """Return one page of about ``size`` bytes."""
    random = Random(number)

    def link(target: int) -> str:
        return f'<li class="item"><a href="/page/{target % pages}">{WORDS[target % len(WORDS)]} {WORDS[target * 7 % len(WORDS)]}</a></li>'

    menu = "".join(link(target) for target in range(30))
    related = "".join(link(number * 3 + step) for step in range(1, 41))
    footer = "".join(link(target) for target in range(30, 50))
    title = f"{WORDS[number % len(WORDS)]} {WORDS[number * 13 % len(WORDS)]}".capitalize()
    head = (
        f'<meta charset="utf-8"><title>{title} and more of it, page {number}</title><meta name="viewport" content="width=device-width">'
        f'<meta name="description" content="{title}: {" ".join(random.choices(WORDS, k=14))}."><link rel="canonical" href="/page/{number}">'
    )
    parts = []
    left = size - len(menu) - len(related) - len(footer) - len(head) - 400
    while left > 0:
        words = [" ".join(random.choices(WORDS, k=count)) for count in (4, 20, 20)]
        shape = " ".join(f"M{random.randrange(999)} {random.randrange(999)}" for _ in range(40))
        part = (
            f'<section class="card card--wide mt-4 px-2 flex items-center" data-tracking="{random.getrandbits(256):x}"><h2>{words[0]}</h2>'
            f'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{shape}"/></svg>'
            f'<div class="card__body text-base leading-7"><p class="lead">{words[1]}.</p><p>{words[2]}.</p></div></section>'
        )
        parts.append(part)
        left -= len(part)
    main = f'<main><h1>{title}</h1>{"".join(parts)}<ul class="related">{related}</ul></main>'
    body = f'<header><nav><ul class="menu">{menu}</ul></nav></header>{main}'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}<footer><ul>{footer}</ul></footer></body></html>'.encode()


class Handler(BaseHTTPRequestHandler):
    """Serves pages from memory."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    made: dict[str, bytes]

    def do_GET(self) -> None:
        """Send the requested page."""
        body = self.made.get(self.path, b"")
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Discard log messages."""


def main() -> None:
    """Serve until the parent closes standard input."""
    pages, size = int(sys.argv[1]), int(sys.argv[2]) * 1000
    Handler.made = {f"/page/{number}": page(number, pages, size) for number in range(pages)}
    Handler.made["/"] = Handler.made["/page/0"]
    server = ThreadingHTTPServer(("", 0), Handler)  # at all addresses of loopback: each is a host
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
