import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { processServices } from "@/server/http/process-services";
import { dayFromNow } from "./dates";
import { expectEmpty } from "./responses";
import { address, newProcessServices, openCalendar } from "./service";
import { eventsOf, eventsPath } from "./written-series";

const day = dayFromNow(3);
const event = { summary: "S", start: `${day}T09:00:00Z`, end: `${day}T10:00:00Z`, tzid: "Etc/UTC" };
const large = (id: string, bytes = 150_000) => ({ ...event, event_id: id, padding: "x".repeat(bytes) });
const MIB = 1024 ** 2;

const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await newProcessServices();
});

const memory = () => processServices().admission.bodies;

/** A write of an application of its own, of which so many bytes come and then no more. */
async function trickle(bytes: number): Promise<Socket> {
  const { accessToken, calendarId } = await openCalendar();
  const { hostname, port } = new URL(await address());
  const socket = connect(Number(port), hostname).on("error", () => {});
  sockets.push(socket);
  socket.write(
    `POST ${eventsPath(calendarId)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${accessToken}\r\nContent-Length: ${16 * MIB}\r\n\r\n{"a":"`,
  );
  socket.write(Buffer.alloc(bytes, "x"));
  return socket;
}

async function held(bytes: number): Promise<void> {
  await vi.waitFor(() => expect(memory().held()).toBeGreaterThanOrEqual(bytes), { timeout: 60_000 });
}

describe("a large body that trickles", () => {
  it("holds nobody up: beside more of them than may be parsed at once, another tenant's are written", async () => {
    const other = await openCalendar();
    const responses: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      const socket = await trickle(200_000);
      socket.on("data", (bytes) => responses.push(String(bytes)));
    }
    await held(5 * 200_000);
    for (const id of ["1", "2", "3"]) expectEmpty(await other.post(eventsPath(other.calendarId), large(id)), 202);
    expect(await eventsOf(other)).toHaveLength(3);
    expect(responses).toEqual([]);
    expect(memory().held()).toBeLessThan(5 * 200_000 + 1_000);
  });

  it("gives way when the memory for bodies is used up, with a 503 that says how long to wait", async () => {
    const other = await openCalendar();
    const trickling = [];
    for (let i = 0; i < 4; i += 1) trickling.push(await trickle(15 * MIB));
    await held(60 * MIB);
    const refused = Promise.race(trickling.map((socket) => once(socket, "data")));
    expectEmpty(await other.post(eventsPath(other.calendarId), large("1", 6 * MIB)), 202);
    expect(String(await refused)).toMatch(/^HTTP\/1.1 503 [\s\S]*retry-after: \d/i);
    expect(memory().held()).toBeLessThanOrEqual(64 * MIB);
    for (const socket of trickling) socket.destroy();
    await vi.waitFor(() => expect(memory().held()).toBe(0), { timeout: 60_000 });
  });

  it("of one application takes no room of another's: many fast ones at once are all written", async () => {
    const [one, other] = [await openCalendar(), await openCalendar()];
    await trickle(15 * MIB);
    const answers = await Promise.all(
      [one, other].flatMap((calendar) =>
        Array.from({ length: 20 }, (_, i) => calendar.post(eventsPath(calendar.calendarId), large(`${i}`, 300_000))),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  });
});
