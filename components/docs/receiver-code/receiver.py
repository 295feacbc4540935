import hashlib
import hmac
import os
import re
import time
from http.server import BaseHTTPRequestHandler, HTTPServer


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        is_valid = is_from_almanac(body, self.headers["Svc-Signature"])
        self.send_response(204 if is_valid else 400)
        self.end_headers()
        print(f"verified {body.decode()}" if is_valid else "rejected", flush=True)


def is_from_almanac(body, header):
    found = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", header or "")
    if not found or abs(time.time() - int(found[1])) > 300:
        return False
    signed = found[1].encode() + b"." + body
    secret = os.environ["SIGNING_SECRET"].encode()
    expected = hmac.new(secret, signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, found[2])


HTTPServer(("127.0.0.1", 9999), Receiver).serve_forever()
