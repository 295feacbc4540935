import hashlib
import hmac
import os
import re
import time
from http.server import BaseHTTPRequestHandler, HTTPServer


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        fault = fault_of(body, self.headers["Svc-Signature"])
        self.send_response(400 if fault else 204)
        self.end_headers()
        print(f"rejected: {fault}" if fault else f"verified {body.decode()}", flush=True)


def fault_of(body, header):
    found = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", header or "")
    if not found:
        return "no signature"
    if abs(time.time() - int(found[1])) > 300:
        return "signed more than 5 minutes ago"
    signed = found[1].encode() + b"." + body
    secret = os.environ["SIGNING_SECRET"].encode()
    expected = hmac.new(secret, signed, hashlib.sha256).hexdigest()
    return None if hmac.compare_digest(expected, found[2]) else "signed for another channel"


HTTPServer(("127.0.0.1", 9999), Receiver).serve_forever()
