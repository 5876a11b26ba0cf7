"""Receives webhooks of Estate: checks the signature of each event and prints it. It needs Python only."""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

secret = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
seen = set()  # A program that stops keeps these where it keeps its data.


def is_signed(headers, body):
    name, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not sent_at.isdigit() or abs(time.time() - int(sent_at)) > 300:
        return False
    signed = hmac.new(secret, f"{name}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(signed).decode()
    given = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(expected, each) for each in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        accepted = is_signed(self.headers, body)
        self.send_response(204 if accepted else 401)
        self.end_headers()
        name = self.headers["webhook-id"]
        if not accepted or name in seen:
            return
        seen.add(name)
        event = json.loads(body)
        tables = [f"{table['table']} {table['version']}" for table in event["data"].get("tables", [])]
        print(event["type"], *tables, flush=True)

    def log_message(self, *_):
        pass


HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Receiver).serve_forever()
