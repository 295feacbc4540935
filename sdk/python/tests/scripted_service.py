"""A server that goes through steps, one for each request: what a proxy or an outage does, which the service itself can't be made to do."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeAlias

#: A status, headers and a body; or "broken" for a connection that breaks, "short" for a body that does, "silent" for no response.
Step: TypeAlias = "tuple[int, dict[str, str], bytes] | str"


class ScriptedService:
    def __init__(self, *steps: Step) -> None:
        self.requests: list[tuple[str, dict[str, str]]] = []
        self._end = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def handle_one_request(self) -> None:
                self.raw_requestline = self.rfile.readline(65537)
                self.close_connection = True
                if not self.raw_requestline or not self.parse_request():
                    return
                self.rfile.read(int(self.headers.get("content-length", 0)))
                self.close_connection = True
                service.requests.append((f"{self.command} {self.path}", dict(self.headers)))
                step = steps[len(service.requests) - 1] if len(service.requests) <= len(steps) else "broken"
                if step == "silent":
                    service._end.wait()
                elif step == "short":
                    self.respond(200, {"content-length": "100"}, b"{")
                elif not isinstance(step, str):
                    self.respond(*step)

            def respond(self, status: int, headers: dict[str, str], body: bytes) -> None:
                self.send_response(status)
                for name, value in ({"content-length": str(len(body))} | headers).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base_url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self._end.set()
        self._server.shutdown()
        self._server.server_close()
