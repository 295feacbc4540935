import { connect } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import pino from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { context } from "@/server/context";
import { db } from "@/server/db/client";
import { errorFacts } from "@/server/log";
import { openReceiver, outsideWith, pem } from "../fakes/hostile-receiver";
import { storedSync } from "../fakes/stored";
import { calendar, feedServer, type Subscriber, subscriber } from "./feed-person";
import { vevent } from "./world";

const server = feedServer();
const good = calendar(vevent("kept"));
const MB = 1024 * 1024;

/** A calendar of at least so many bytes. */
function padded(bytes: number): string {
  const description = `DESCRIPTION:${"x".repeat(1_000)}`;
  const events = Array.from({ length: Math.ceil(bytes / 1_150) }, (_, n) => vevent(`e${n}`, [description]));
  return calendar(...events);
}

/** It is read twice, because one failed read is a hiccup. */
async function failing(person: Subscriber): Promise<unknown> {
  await person.sync();
  await person.sync();
  expect(await person.summaries()).toEqual(["kept"]);
  const { state, reason } = await person.status();
  return [state, reason];
}

it("a feed that is cut off when it is read first is not believed until it is whole", async () => {
  const whole = calendar(vevent("kept"), vevent("later", ["RRULE:FREQ=DAILY"]));
  const person = await subscriber(server(), whole.slice(0, whole.indexOf("FREQ=DAILY") + 7));
  await person.sync();
  await person.sync();
  expect(await person.events()).toEqual([]);
  expect(await person.status()).toMatchObject({ state: "delayed", reason: "feed_cut_off", last_read_at: null });
  person.put(good);
  await person.sync();
  expect(await person.summaries()).toEqual(["kept"]);
  expect(await person.status()).toMatchObject({ state: "connected", reason: null });
});

describe("keeps what it has, and says why:", () => {
  it.each([
    ["a page of HTML, called a calendar", { body: "<html><body>Please sign in</body></html>" }, "not_a_calendar"],
    ["an empty body", { body: "" }, "not_a_calendar"],
    ["JSON", { body: '{"events": []}' }, "not_a_calendar"],
    ["broken gzip", { body: gzipSync(good).subarray(0, 60) }, "not_a_calendar"],
    ["an unknown encoding", { body: "zstd?", headers: { "content-encoding": "zstd" } }, "not_a_calendar"],
    ["more than 5 MB", { body: padded(6 * MB) }, "feed_too_large"],
    ["more than 5 MB once decompressed", { body: gzipSync(padded(6 * MB)) }, "feed_too_large"],
    [
      "too many events",
      {
        body: calendar(
          ...Array.from(
            { length: 20_001 },
            (_, n) => `BEGIN:VEVENT\r\nUID:${n}\r\nDTSTART:20261202T100000Z\r\nEND:VEVENT`,
          ),
        ),
      },
      "feed_too_large",
    ],
    [
      "an event of too many further dates",
      {
        body: calendar(
          vevent("d", [
            `RDATE:${Array.from({ length: 10_100 }, (_, n) => new Date(Date.UTC(2026, 11, 1) + n * 60_000).toISOString().replace(/[-:]|\.000/g, "")).join(",")}`,
          ]),
        ),
      },
      "feed_too_large",
    ],
    ["a series of too many occurrences", { body: calendar(vevent("s", ["RRULE:FREQ=MINUTELY"])) }, "feed_too_large"],
    [
      "rules that cost much and say little",
      {
        body: calendar(
          ...Array.from({ length: 80 }, (_, n) =>
            vevent(`r${n}`, ["DTSTART:19000101T000000Z", "RRULE:FREQ=HOURLY;COUNT=9999999;BYMINUTE=0"]),
          ),
        ),
      },
      "feed_too_large",
    ],
    ["no access any more", { status: 403 }, "calendar_refused"],
    ["an error of the server", { status: 500 }, "down"],
    ["half a response", { status: 206, body: good }, "down"],
    ["a redirect without an address", { status: 302 }, "down"],
    ["a redirect to nowhere", { status: 302, headers: { location: "http://[" } }, "down"],
    [
      "a redirect to an address inside",
      { status: 302, headers: { location: "http://127.0.0.1:1/x" } },
      "feed_address_refused",
    ],
    [
      "a redirect to a private network",
      { status: 301, headers: { location: "https://10.0.0.7/x.ics" } },
      "feed_address_refused",
    ],
    ["a redirect to a file", { status: 302, headers: { location: "file:///etc/passwd" } }, "feed_address_refused"],
    [
      "a redirect with credentials",
      { status: 302, headers: { location: "https://a:b@calendars.acme.io/" } },
      "feed_address_refused",
    ],
  ])("%s", async (_, feed, reason) => {
    const person = await subscriber(server(), good);
    await person.sync();
    person.put(feed);
    expect(await failing(person)).toEqual(["delayed", reason]);
    person.put(calendar(vevent("again")));
    await person.sync();
    expect([await person.summaries(), (await person.status()).state]).toEqual([["again"], "connected"]);
  });

  it("a feed that stalls, before or within its body, and one that breaks off", async () => {
    const person = await subscriber(server(), good, { deadlineMs: 300 });
    await person.sync();
    person.put({ respond: () => {} });
    expect(await failing(person)).toEqual(["delayed", "down"]);
    person.put({ respond: (response) => void response.writeHead(200).write(good.slice(0, 50)) });
    expect(await failing(person)).toEqual(["delayed", "down"]);
    person.put({
      respond: (response) => {
        response.writeHead(200, { "content-length": "1000" });
        response.write(good, () => response.destroy());
      },
    });
    expect(await failing(person)).toEqual(["delayed", "down"]);
  });

  it("a redirect that never ends, however many hops it makes", async () => {
    const person = await subscriber(server(), good);
    await person.sync();
    server().requests();
    person.put({ status: 302, headers: { location: person.path } });
    expect(await failing(person)).toEqual(["delayed", "down"]);
    expect(server().requests()).toHaveLength(12);
  });

  it("a server that asks for a pause gets it", async () => {
    const person = await subscriber(server(), good);
    await person.sync();
    person.put({ status: 429, headers: { "retry-after": "7200" } });
    await person.sync();
    const { throttledUntil } = await storedSync(person.profileId);
    expect((throttledUntil?.getTime() ?? 0) - Date.now()).toBeGreaterThan(7_000_000);
  });
});

describe("is read all the same:", () => {
  const named = calendar(vevent("x", ["SUMMARY:Grüße"]));
  it.each([
    ["gzip that nobody asked for", { body: gzipSync(named), headers: { "content-encoding": "gzip" } }],
    ["gzip that doesn't say so", { body: gzipSync(named), headers: { "content-type": "application/octet-stream" } }],
    ["deflate", { body: deflateSync(named), headers: { "content-encoding": "deflate" } }],
    ["brotli", { body: brotliCompressSync(named), headers: { "content-encoding": "br" } }],
    ["text that says gzip", { body: named, headers: { "content-encoding": "gzip" } }],
    ["what is called HTML", { body: named, headers: { "content-type": "text/html" } }],
    ["a byte order mark", { body: `\uFEFF${named}` }],
    ["UTF-16", { body: Buffer.from(`\uFEFF${named}`, "utf16le") }],
    [
      "Latin-1 that says so",
      { body: Buffer.from(named, "latin1"), headers: { "content-type": "text/calendar; charset=ISO-8859-1" } },
    ],
    ["Latin-1 that doesn't", { body: Buffer.from(named, "latin1") }],
    [
      "Latin-1 in a charset that nobody knows",
      { body: Buffer.from(named, "latin1"), headers: { "content-type": 'text/calendar; charset="x-none"' } },
    ],
    [
      "a fold within a character",
      { body: Buffer.from(named.replace("ü", "\u00c3\r\n \u00bc").replace("ß", "\u00c3\u009f"), "latin1") },
    ],
    ["line ends of another system", { body: named.replaceAll("\r\n", "\n") }],
  ])("%s", async (_, feed) => {
    const person = await subscriber(server(), feed);
    await person.sync();
    expect(await person.summaries()).toEqual(["Grüße"]);
  });

  it("a feed of just under 5 MB", async () => {
    const large = padded(4.9 * MB);
    const person = await subscriber(server(), large);
    await person.sync();
    const { json } = await person.get("/v1/events", { tzid: "Etc/UTC", "calendar_ids[]": person.calendarId });
    expect(json.pages.total).toBe(15);
    expect(await db().prisma.event.count({ where: { calendarId: person.calendarId } })).toBe(4468);
  });

  it("behind redirects, webcal:// among them, as long as each leads to a public host", async () => {
    const receiver = await openReceiver(
      (socket) => void socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${good.length}\r\n\r\n${good}`),
      { tls: "valid" },
    );
    const { dial, dialled } = outsideWith(receiver.port);
    const addresses: Record<string, string> = { "hooks.acme.io": "93.184.215.14", "inside.acme.io": "10.0.0.7" };
    const outside = { ca: pem("authority"), resolve: async (host: string) => [addresses[host] ?? ""], dial };
    const led = (location: string) => ({ status: 301, headers: { location } });
    const throughLocal = (address: string, port: number) =>
      address === "127.0.0.1" ? connect(port, address) : dial(address, port);
    const options = { outside: { ...outside, dial: throughLocal } };
    const person = await subscriber(server(), led("webcal://hooks.acme.io/x.ics"), options);
    await person.sync();
    expect(await person.summaries()).toEqual(["kept"]);
    expect(dialled).toEqual(["93.184.215.14 443"]);
    person.put(led("https://inside.acme.io/x.ics"));
    expect(await failing(person)).toEqual(["delayed", "feed_address_refused"]);
    expect(dialled).toHaveLength(1);
  });

  it("one bad event aside, which is named nowhere", async () => {
    const bad = "BEGIN:VEVENT\r\nUID:bad\r\nSUMMARY:secret\r\nEND:VEVENT";
    const person = await subscriber(server(), calendar(vevent("a"), bad, vevent("b")));
    await person.sync();
    expect(await person.summaries()).toEqual(["a", "b"]);
    const [skipped] = await db().prisma.skippedResource.findMany({ where: { calendarId: person.calendarId } });
    expect(skipped?.reason).toBe("an event without a start");
    person.put(calendar(vevent("a"), vevent("bad"), vevent("b")));
    await person.sync();
    expect(await person.summaries()).toEqual(["a", "b", "bad"]);
    expect(await db().prisma.skippedResource.count({ where: { calendarId: person.calendarId } })).toBe(0);
  });
});

it("the address is sealed, and no log, error or response has it", async () => {
  const lines: string[] = [];
  const before = context.log;
  onTestFinished(() => {
    context.log = before;
  });
  const note = { write: (line: string) => void lines.push(line) };
  context.log = pino({ level: "trace", serializers: { err: errorFacts } }, note);
  const person = await subscriber(server(), good);
  const secret = person.path.slice(1, 17);
  for (const feed of [{ status: 500 }, { body: "<html>" }, { status: 302, headers: { location: "file:///" } }]) {
    person.put(feed);
    await person.sync();
  }
  const stored = await db().query<{ row: string }>(
    "SELECT p::text || s::text AS row FROM profiles p JOIN profile_syncs s ON s.profile_id = p.id WHERE p.id = $1",
    [person.profileId],
  );
  expect(JSON.stringify(stored)).not.toContain(secret);
  const { json: listed } = await person.get("/v1/subscriptions");
  expect(JSON.stringify(listed)).not.toContain(secret);
  const logged = await db().query<{ detail: string }>("SELECT detail FROM request_logs WHERE account_id = $1", [
    person.accountId,
  ]);
  expect(JSON.stringify(logged)).not.toContain(secret);
  const refused = await person.post("/v1/subscriptions", { url: `http://acme.io/${secret}`, name: "x" });
  expect([refused.status, refused.text.includes(secret)]).toEqual([422, false]);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join("")).not.toContain(secret);
});
