import { request } from "node:http";
import { connect } from "node:net";
import { setPriority } from "node:os";
import type { Assault } from "@/tests/faults/neighbours/assault";
import type { Holder } from "@/tests/faults/neighbours/tenants";
import { signInFrom } from "@/tests/rig/sign-in";
import { passed } from "@/tests/rig/until";

/** For so long a connection is held; then another is opened in its place. */
const UNREAD_MS = 5_000;
/** What an upload that trickles claims to have, and how it goes on. */
const UPLOAD_BYTES = 1024 * 1024;
const TRICKLE_BYTES = 100;
const TRICKLE_MS = 1_000;
/** Whoever is refused comes back after so long. */
const AGAIN_MS = 1_000;

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
  case "slow":
    for (const token of assault.tokens) {
      for (let i = 0; i < assault.atOnce; i += 1) void sleepAgain(token, assault.leaveAfterMs);
    }
    break;
  case "pages": {
    const { pages } = assault;
    paced(assault.perSecond, (i) => {
      const { path = "", headers = {} } = pages[i % pages.length] ?? {};
      send("GET", origin + path, headers);
    });
    break;
  }
  case "trickles":
    for (const holder of assault.holders) {
      for (let i = 0; i < assault.uploadsEach; i += 1) void uploadSlowly(holder, assault.bytes);
    }
    break;
  case "calls":
    for (let i = 0; i < assault.inFlight; i += 1) void callAgain(assault.path, assault.headers);
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

/** Asks for the slowest response that there is, and leaves before it comes. */
async function sleepAgain(token: string, leaveAfterMs: number): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "svc-sandbox-fault": "slow=60000" };
  for (;;) {
    const signal = AbortSignal.timeout(leaveAfterMs);
    const isRefused = await fetch(`${origin}/v1/account`, { headers, signal }).then(
      ({ ok }) => !ok,
      () => false,
    );
    if (isRefused) await passed(AGAIN_MS);
  }
}

/** Sends so much of a body at once and the rest of it a little at a time, again whenever it is refused. */
async function uploadSlowly({ token, calendarId }: Holder, bytes: number): Promise<void> {
  const { hostname, port } = new URL(origin);
  for (;;) {
    const socket = connect({ host: hostname, port: Number(port) });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => undefined);
    socket.once("data", () => socket.destroy());
    socket.write(
      `POST /v1/calendars/${calendarId}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${UPLOAD_BYTES}\r\n\r\n{"a":"`,
    );
    socket.write("x".repeat(bytes));
    const trickling = setInterval(() => socket.write("x".repeat(TRICKLE_BYTES)), TRICKLE_MS);
    await closed;
    clearInterval(trickling);
    await passed(AGAIN_MS);
  }
}

async function callAgain(path: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    await fetch(origin + path, { headers })
      .then((response) => response.arrayBuffer())
      .catch(() => passed(AGAIN_MS));
  }
}
