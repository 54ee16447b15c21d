"""A web server that takes webhooks, with the standard library alone.

Usage: WEBHOOK_SECRET=whsec_… python webhook_server.py [port]
"""

from __future__ import annotations

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Set

from kinora import WebhookVerificationError, unwrap_webhook

MAX_BODY_BYTES = 1024 * 1024

SECRET = os.environ["WEBHOOK_SECRET"]
seen: Set[str] = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        raw_body = self.rfile.read(min(length, MAX_BODY_BYTES))
        try:
            event = unwrap_webhook(raw_body, dict(self.headers), SECRET)
        except WebhookVerificationError as error:
            self.send_response(400)
            self.end_headers()
            print(f"refused: {error.code}", flush=True)
            return
        # Answer first: the service waits ten seconds, and delivers again what was not acknowledged.
        self.send_response(204)
        self.end_headers()
        if event["id"] not in seen:
            seen.add(event["id"])
            print(event["type"], event["data"]["object"]["id"], flush=True)

    def log_message(self, format: str, *args: object) -> None:
        """Without a line for each request."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 3000), Receiver)
    print(f"Listening on {server.server_address[1]}.", flush=True)
    server.serve_forever()
