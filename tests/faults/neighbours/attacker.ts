import { request } from "node:http";
import { connect } from "node:net";
import { setPriority } from "node:os";
import type { Assault } from "@/tests/faults/neighbours/assault";
import { signInFrom } from "@/tests/faults/neighbours/probes";
import { passed } from "@/tests/faults/until";

/** For so long a connection is held; then another is opened in its place. */
const UNREAD_MS = 5_000;

/**
 * A process of its own that does one thing until it is ended: what it computes is another machine's, so it gets the processor last. It says "begun"
 * when its first requests are under way.
 */
setPriority(19);
const assault = JSON.parse(process.argv[2] ?? "{}") as Assault;
const { origin } = assault;
process.stdout.write("begun\n");
switch (assault.kind) {
  case "writes":
    for (const holder of assault.holders) {
      paced(assault.perSecond, (i) =>
        post(
          `${origin}/v1/calendars/${holder.calendarId}/events`,
          holder.token,
          assault.bodies[i % assault.bodies.length] ?? "",
        ),
      );
    }
    break;
  case "unknown-paths":
    paced(assault.perSecond, (i) =>
      send("GET", `${origin}/v1/${i}?${"q".repeat(assault.bytes / 2)}`, { "x-filler": "h".repeat(assault.bytes / 2) }),
    );
    break;
  case "unread":
    for (let i = 0; i < assault.sockets; i += 1) void neverRead(assault.path, assault.token);
    break;
  case "sign-ins":
    for (let round = 0; ; round += 1) {
      const tries = Array.from({ length: assault.atOnce }, (_, i) =>
        signInFrom(`127.0.${1 + (i % 200)}.${1 + (round % 200)}`, origin, {
          email: `nobody-${round}-${i}@example.com`,
          password: "a wrong password",
        }).catch(() => 0),
      );
      await Promise.all(tries);
      await passed(100);
    }
}

function paced(perSecond: number, act: (i: number) => void): void {
  let i = 0;
  const began = performance.now();
  setInterval(() => {
    const due = ((performance.now() - began) / 1000) * perSecond;
    for (; i < due; i += 1) act(i);
  }, 20);
}

function post(url: string, token: string, body: string): void {
  send("POST", url, { authorization: `Bearer ${token}`, "content-type": "application/json" }, body);
}

function send(method: string, url: string, headers: Record<string, string>, body?: string): void {
  const sent = request(url, { method, headers }, (response) => response.resume());
  sent.on("error", () => undefined);
  sent.end(body);
}

async function neverRead(path: string, token: string): Promise<void> {
  const { hostname, port } = new URL(origin);
  for (;;) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => undefined);
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    // Whoever does not read does not hear that the other side has closed either.
    await passed(UNREAD_MS);
    socket.destroy();
  }
}
