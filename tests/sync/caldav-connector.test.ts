import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { caldavConnector } from "@/server/providers/caldav/connector";
import type { CalendarAccount, PasswordConnector } from "@/server/providers/connector";
import type { WriteInput } from "@/server/providers/writing";
import { writeToProvider } from "@/server/sync/write-event";
import { type Front, type FrontRequest, plain, startFront } from "../fakes/forward";
import { listedCalendars, mailboxOf, noNote } from "../fakes/mailbox";
import { type OtherClient, otherClient } from "../fakes/other-client";
import { type Radicale, startRadicale } from "../fakes/radicale";
import { eventState, inDays, pullAll, summaries, versionsOf, vevent } from "./caldav-pulls";

type Meddle = Parameters<typeof startFront>[1];

let radicale: Radicale;
let front: Front;
let connector: PasswordConnector;
let account: CalendarAccount;
let names = 0;

/** What the front does with a request; tests that need it otherwise put their own in its place. */
const handOn: Meddle = (_, on) => on();
let meddle: Meddle = handOn;
const asked: FrontRequest[] = [];

beforeAll(async () => {
  radicale = await startRadicale();
  front = await startFront(
    () => Number(new URL(radicale.url).port),
    (one, on) => {
      asked.push(one);
      return meddle(one, on);
    },
  );
  connector = caldavConnector({ entry: `http://127.0.0.1:${front.port}`, deadlineMs: 20_000 });
  account = await connector.signIn.verify({ username: radicale.user, password: radicale.password });
});

beforeEach(() => {
  meddle = handOn;
});

afterAll(async () => {
  await front.close();
  await radicale.close();
});

/** A calendar of its own for each test, with the other person's client in it. */
async function newCalendar(): Promise<{ calendarId: string; other: OtherClient }> {
  meddle = handOn;
  names += 1;
  const url = await radicale.makeCalendar(`Calendar ${names}`);
  return { calendarId: new URL(url).pathname, other: otherClient(url, radicale) };
}

function count(method: string): number {
  return asked.filter((one) => one.method === method).length;
}

function pushed(calendarId: string, changes: Partial<WriteInput> = {}) {
  const { uid = "evt_1" } = changes;
  const asked = { calendarId, externalId: null, version: null, uid, name: connector.nameOf(uid) };
  const whole = { ...asked, removedGuests: [], notify: true, state: eventState(), ...changes };
  return writeToProvider(mailboxOf(connector, account), whole, noNote);
}

async function done(pushing: ReturnType<typeof pushed>) {
  const result = await pushing;
  if (result.kind !== "done") throw new Error(`refused: ${result.reason}`);
  return result;
}

/** The first request with the method meets something else; all others are handed on. */
function once(method: string, act: Meddle): Meddle {
  let acted = false;
  return (one, on) => {
    if (one.method !== method || acted) return on();
    acted = true;
    return act(one, on);
  };
}

describe("what changes in a calendar", () => {
  it("is pulled: what was created, changed and deleted since the sync token, and nothing else", async () => {
    const { calendarId, other } = await newCalendar();
    for (const name of ["a", "b", "c"]) await other.create(name, vevent(name));
    const first = await pullAll(connector, account, { calendarId });
    expect(summaries(first)).toEqual(["a", "b", "c"]);
    expect(first.end.present).toEqual(new Set(first.events.map(({ externalId }) => externalId)));
    expect(first.end.present).toContain(`${calendarId}a.ics`);

    await other.create("d", vevent("d"));
    await other.change("/a.ics", (ics) => ics.replace("SUMMARY:a", "SUMMARY:a2"));
    await other.remove("/b.ics");
    const { syncToken } = first.end;
    const second = await pullAll(connector, account, { calendarId, syncToken });
    expect(summaries(second)).toEqual(["a2", "d"]);
    expect(second.gone).toEqual([`${calendarId}b.ics`]);
    expect(second.end.present).toBeNull();

    const third = await pullAll(connector, account, { calendarId, syncToken: second.end.syncToken });
    expect(third).toMatchObject({ pages: 0, end: { syncToken: second.end.syncToken } });
  });

  it("is not read again when its etag is known, in a full pull and in one since a sync token", async () => {
    const { calendarId, other } = await newCalendar();
    const { syncToken } = (await pullAll(connector, account, { calendarId })).end;
    for (const name of ["a", "b", "c"]) await other.create(name, vevent(name));
    const versions = versionsOf(await pullAll(connector, account, { calendarId }));
    expect(versions.size).toBe(3);
    asked.length = 0;
    expect(await pullAll(connector, account, { calendarId, versions })).toMatchObject({ pages: 0, events: [] });
    expect([count("PROPFIND"), count("REPORT"), count("GET")]).toEqual([1, 1, 0]);
    expect(await pullAll(connector, account, { calendarId, syncToken, versions })).toMatchObject({
      pages: 0,
      events: [],
    });
    expect([count("PROPFIND"), count("REPORT"), count("GET")]).toEqual([1, 2, 0]);
    versions.set(`${calendarId}b.ics`, '"older"');
    expect(summaries(await pullAll(connector, account, { calendarId, versions }))).toEqual(["b"]);
  });

  it("is refused for a sync token that the server no longer knows, and pulled again in full", async () => {
    const { calendarId, other } = await newCalendar();
    await other.create("a", vevent("a"));
    const { syncToken } = (await pullAll(connector, account, { calendarId })).end;
    await other.remove("/a.ics");
    await radicale.forgetTokens();
    await expect(pullAll(connector, account, { calendarId, syncToken })).rejects.toMatchObject({
      fault: { kind: "sync_token_expired" },
    });
    const again = await pullAll(connector, account, { calendarId });
    expect(again.end.present).toEqual(new Set());
  });

  it("is found again when the account's calendars have moved", async () => {
    const { calendarId } = await newCalendar();
    const credential = JSON.parse(account.credential);
    const home = new URL("/moved-from-here/", credential.home).href;
    meddle = (one, on) => (one.path.startsWith("/moved-from-here/") ? Promise.resolve(plain(404)) : on());
    const old = { credential: JSON.stringify({ ...credential, home }) };
    const mailbox = mailboxOf(connector, old);
    const listed = await listedCalendars(mailbox);
    expect(listed.map(({ externalId }) => externalId)).toContain(calendarId);
    const before = asked.length;
    await listedCalendars(mailbox);
    expect(asked.slice(before).map(({ path }) => path)).not.toContain("/moved-from-here/");
  });

  it("is pulled although one resource is garbage and the server cannot answer about it with the others", async () => {
    const { calendarId, other } = await newCalendar();
    for (const name of ["a", "bad", "c", "worse"]) await other.create(name, vevent(name));
    meddle = (one, on) => {
      if (one.method === "REPORT") return Promise.resolve(plain(500));
      if (one.path.endsWith("/worse.ics")) return Promise.resolve(plain(500));
      if (!one.path.endsWith("/bad.ics")) return on();
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.from("Dinner with Ann") });
    };
    // Twice it may be the server that fails; the third time it is the resource.
    for (const _ of [1, 2]) {
      await expect(pullAll(connector, account, { calendarId })).rejects.toMatchObject({ fault: { kind: "down" } });
    }
    const pulled = await pullAll(connector, account, { calendarId });
    expect(summaries(pulled)).toEqual(["a", "c"]);
    expect(pulled.faults.map(({ externalId }) => externalId).sort()).toEqual([
      `${calendarId}bad.ics`,
      `${calendarId}worse.ics`,
    ]);
    expect(JSON.stringify(pulled.faults)).not.toContain("Ann");
    expect(pulled.end.present?.size).toBe(4);
  });

  it("is read on the calendar's own clock where it names no time zone", async () => {
    const { calendarId, other } = await newCalendar();
    const { syncToken } = (await pullAll(connector, account, { calendarId })).end;
    const floating = vevent("a").replaceAll(/^(DTSTART|DTEND):(.*)Z$/gm, "$1:$2");
    await other.create("a", floating);
    const zone = "BEGIN:VCALENDAR&#13;\nBEGIN:VTIMEZONE&#13;\nTZID:Asia/Tokyo&#13;\nEND:VTIMEZONE&#13;\nEND:VCALENDAR";
    const props = `<sync-token>1</sync-token><C:calendar-timezone>${zone}</C:calendar-timezone>`;
    meddle = (one, on) => {
      if (one.method !== "PROPFIND" || one.headers.depth !== "0") return on();
      const body = `<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><response><href>${calendarId}</href>
        <propstat><prop>${props}</prop><status>HTTP/1.1 200 OK</status></propstat></response></multistatus>`;
      return Promise.resolve({ status: 207, headers: {}, body: Buffer.from(body) });
    };
    const nineInTokyo = inDays(8) - 9 * 3_600_000;
    for (const from of [null, syncToken]) {
      const [event] = (await pullAll(connector, account, { calendarId, syncToken: from })).events;
      expect(event?.state).toMatchObject({ tzid: "Asia/Tokyo", span: { starts: nineInTokyo } });
    }
  });

  it("is asked for no token beside the one that comes with its changes", async () => {
    const { calendarId, other } = await newCalendar();
    const { syncToken } = (await pullAll(connector, account, { calendarId })).end;
    await other.create("a", vevent("a"));
    asked.length = 0;
    await pullAll(connector, account, { calendarId, syncToken });
    const forTokens = asked.filter(({ body }) => body.includes("sync-token"));
    expect(forTokens.map(({ method }) => method)).toEqual(["REPORT"]);
  });

  it("is pulled in full from a server that gives no tokens, and has no sync token there", async () => {
    const { calendarId, other } = await newCalendar();
    for (const name of ["a", "b"]) await other.create(name, vevent(name));
    meddle = async (one, on) => {
      if (one.body.includes("sync-collection")) return plain(501);
      const given = await on();
      const body = given.body.toString().replaceAll(/<sync-token>[^<]*<\/sync-token>/g, "");
      return { ...given, body: Buffer.from(body) };
    };
    const pulled = await pullAll(connector, account, { calendarId });
    expect(summaries(pulled)).toEqual(["a", "b"]);
    expect(pulled.end).toEqual({
      ...{ syncToken: null, window: null, validUntil: null },
      present: new Set([`${calendarId}a.ics`, `${calendarId}b.ics`]),
    });
  });

  it("goes on where a server cut its list short", async () => {
    const { calendarId, other } = await newCalendar();
    const { syncToken } = (await pullAll(connector, account, { calendarId })).end;
    for (const name of ["a", "b"]) await other.create(name, vevent(name));
    const href = (name: string) => `<response><href>${calendarId}${name}</href>`;
    const found = `<propstat><prop><getetag>"1"</getetag></prop><status>HTTP/1.1 200 OK</status></propstat></response>`;
    const cut = `${href("")}<status>HTTP/1.1 507 Insufficient Storage</status></response>`;
    const all = [
      `${href("a.ics")}${found}${cut}<sync-token>half</sync-token>`,
      `${href("b.ics")}${found}<sync-token>all</sync-token>`,
    ];
    const lists = [...all];
    const tokens: string[] = [];
    meddle = (one, on) => {
      if (!one.body.includes("sync-collection")) return on();
      tokens.push(/<d:sync-token>(.*)<\/d:sync-token>/.exec(one.body.toString())?.[1] ?? "");
      const body = Buffer.from(`<multistatus xmlns="DAV:">${lists.shift()}</multistatus>`);
      return Promise.resolve({ status: 207, headers: { "content-type": "application/xml" }, body });
    };
    const pulled = await pullAll(connector, account, { calendarId, syncToken });
    expect(summaries(pulled)).toEqual(["a", "b"]);
    expect(tokens).toEqual([syncToken, "half"]);
    expect(pulled.end.syncToken).toBe("all");
    lists.push(...all);
    const inFull = await pullAll(connector, account, { calendarId });
    expect(inFull.end).toEqual({
      ...{ syncToken: "all", window: null, validUntil: null },
      present: new Set([`${calendarId}a.ics`, `${calendarId}b.ics`]),
    });
  });

  it("is gone with its calendar", async () => {
    const calendarId = new URL(radicale.calendar).pathname.replace("personal", "nowhere");
    const gone = { fault: { kind: "gone" } };
    await expect(pullAll(connector, account, { calendarId })).rejects.toMatchObject(gone);
    await expect(pullAll(connector, account, { calendarId, syncToken: "http://x" })).rejects.toMatchObject(gone);
    await expect(pushed(calendarId)).rejects.toMatchObject(gone);
  });
});

describe("a write", () => {
  it("creates one resource, also when its answer was lost and it is written again", async () => {
    const { calendarId, other } = await newCalendar();
    meddle = async (one, on) => {
      const given = await on();
      return one.method === "PUT" ? null : given;
    };
    await expect(pushed(calendarId)).rejects.toMatchObject({ fault: { kind: "down" } });
    meddle = handOn;
    const written = await done(pushed(calendarId, { state: eventState({ summary: "Later" }) }));
    const [kept, ...more] = await other.list();
    expect(more).toEqual([]);
    expect(kept?.ics).toContain("SUMMARY:Later");
    expect(written).toMatchObject({ version: kept?.etag, state: { summary: "Later" } });
    expect(new URL(kept?.url ?? "").pathname).toBe(written.externalId);
    expect(written.externalId).toMatch(/\/[0-9a-f]{64}\.ics$/);
  });

  it("keeps what another client changed in the meantime: a property we do not know, and a guest of theirs", async () => {
    const { calendarId, other } = await newCalendar();
    const guest = { email: "ben@example.com", display_name: null, status: "needs_action" as const };
    const first = await done(pushed(calendarId, { state: eventState({ attendees: [guest] }) }));
    const theirs = ["X-THEIRS:kept", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:cleo@example.com"].join("\r\n");
    const change = (ics: string) => ics.replace("END:VEVENT", `${theirs}\r\nEND:VEVENT`);
    meddle = once("PUT", async (_, on) => {
      meddle = handOn;
      await other.change(first.externalId, change);
      return on();
    });
    asked.length = 0;
    const { externalId, version } = first;
    const state = eventState({ summary: "Moved", attendees: [guest] });
    const second = await done(pushed(calendarId, { externalId, version, state }));
    expect([count("GET"), count("PUT")]).toEqual([2, 2]);
    const kept = await other.find(externalId);
    expect(kept?.ics).toMatch(/SUMMARY:Moved/);
    expect(kept?.ics).toMatch(/X-THEIRS:kept/);
    expect(kept?.ics.replaceAll("\r\n ", "")).toMatch(/ATTENDEE;PARTSTAT=ACCEPTED:mailto:cleo@example\.com/);
    expect(second.version).toBe(kept?.etag);
    expect(second.state?.attendees.map(({ email }) => email)).toEqual(
      expect.arrayContaining(["ben@example.com", "cleo@example.com"]),
    );
  });

  it("is a conflict when the event changed at each of three tries", async () => {
    const { calendarId } = await newCalendar();
    const { externalId, version } = await done(pushed(calendarId));
    let etags = 0;
    meddle = async (one, on) => {
      if (one.method === "PUT") return plain(412);
      etags += 1;
      const given = await on();
      return { ...given, headers: { ...given.headers, etag: `"${etags}"` } };
    };
    asked.length = 0;
    await expect(pushed(calendarId, { externalId, version })).rejects.toMatchObject({ fault: { kind: "conflict" } });
    expect(count("PUT")).toBe(3);
    expect(asked.filter(({ method }) => method === "PUT").map(({ headers }) => headers["if-match"])).toEqual([
      '"1"',
      '"2"',
      '"3"',
    ]);
  });

  it("is read back where the server answers without an etag or with a Schedule-Tag", async () => {
    const { calendarId, other } = await newCalendar();
    const behaviours: ((headers: Record<string, unknown>) => Record<string, unknown>)[] = [
      ({ etag: _, ...headers }) => headers,
      (headers) => ({ ...headers, etag: 'W/"weak"' }),
      (headers) => ({ ...headers, "schedule-tag": '"1"' }),
    ];
    for (const [index, behaviour] of behaviours.entries()) {
      meddle = once("PUT", async (_, on) => {
        const given = await on();
        return { ...given, headers: behaviour(given.headers) as typeof given.headers };
      });
      asked.length = 0;
      const written = await done(pushed(calendarId, { uid: `evt_${index}` }));
      expect(count("GET")).toBe(1);
      expect(written.version).toBe((await other.find(written.externalId))?.etag);
      expect(written.state?.summary).toBe("Stand-up");
    }
  });

  it("deletes, whatever others changed in the meantime, and is done when there is nothing left to delete", async () => {
    const { calendarId, other } = await newCalendar();
    const { externalId, version } = await done(pushed(calendarId));
    await other.change(externalId, (ics) => ics.replace("SUMMARY:Stand-up", "SUMMARY:Theirs"));
    const gone = { kind: "done", externalId, version: null, state: null };
    expect(await pushed(calendarId, { externalId, version, state: null, notify: false })).toEqual(gone);
    expect(await other.list()).toEqual([]);
    expect(asked.findLast(({ method }) => method === "DELETE")?.headers["schedule-reply"]).toBe("F");
    expect(await pushed(calendarId, { externalId, version, state: null })).toEqual(gone);
    expect(await pushed(calendarId, { state: null })).toEqual(gone);
    expect(await pushed(calendarId, { externalId, version })).toMatchObject({ kind: "done", externalId });
    expect(asked.slice(-2).map(({ method, headers }) => [method, headers["if-none-match"]])).toEqual([
      ["GET", undefined],
      ["PUT", "*"],
    ]);
  });

  it("is refused for good by the name of a precondition, without a word of the event", async () => {
    const { calendarId, other } = await newCalendar();
    await other.create("theirs", vevent("evt_1"));
    expect(await pushed(calendarId)).toEqual({ kind: "refused", reason: "no-uid-conflict" });
    meddle = async () => ({
      ...plain(403),
      body: Buffer.from("<error xmlns='DAV:'><need-privileges/>Stand-up</error>"),
    });
    expect(await pushed(calendarId, { uid: "evt_2" })).toEqual({ kind: "refused", reason: "need-privileges" });
    meddle = async () => plain(413);
    expect(await pushed(calendarId, { uid: "evt_2" })).toEqual({ kind: "refused", reason: "http_413" });
  });
});

describe("an account that cannot be asked", () => {
  const faultOf = async (answer: ReturnType<typeof plain> | null) => {
    const { calendarId } = await newCalendar();
    meddle = async () => answer;
    const faults = await Promise.all(
      [
        listedCalendars(mailboxOf(connector, account)),
        pullAll(connector, account, { calendarId }),
        pushed(calendarId),
      ].map((asking) =>
        asking.then(
          () => "none",
          ({ fault }) => fault,
        ),
      ),
    );
    const [fault] = faults;
    expect(faults).toEqual([fault, fault, fault]);
    return fault;
  };

  it("is signed out by 401", async () => {
    expect(await faultOf(plain(401))).toEqual({ kind: "credentials_rejected" });
  });

  it("is throttled by 429, and by 503 that says for how long", async () => {
    expect(await faultOf(plain(503, { "retry-after": "120" }))).toEqual({
      ...{ kind: "throttled", after: 120_000, scope: "request" },
    });
    expect(await faultOf(plain(429))).toEqual({ kind: "throttled", after: null, scope: "request" });
    meddle = async () => plain(429, { "retry-after": new Date(Date.now() + 60_000).toUTCString() });
    const { after } = await listedCalendars(mailboxOf(connector, account)).catch(({ fault }) => fault);
    expect(after).toBeGreaterThan(50_000);
    expect(after).toBeLessThanOrEqual(60_000);
  });

  it("is down while it answers with an outage, with no multistatus or not at all", async () => {
    expect(await faultOf(plain(503))).toEqual({ kind: "down" });
    expect(await faultOf(plain(500))).toEqual({ kind: "down" });
    expect(await faultOf(null)).toEqual({ kind: "down" });
    await radicale.stop();
    expect((await listedCalendars(mailboxOf(connector, account)).catch(({ fault }) => fault)).kind).toBe("down");
    await radicale.start();
    meddle = handOn;
    expect(await listedCalendars(mailboxOf(connector, account))).not.toEqual([]);
  });

  it("is down when it does not answer in time", async () => {
    const hasty = caldavConnector({ entry: `http://127.0.0.1:${front.port}`, deadlineMs: 200 });
    meddle = () => new Promise(() => undefined);
    await expect(listedCalendars(mailboxOf(hasty, account))).rejects.toMatchObject({
      fault: { kind: "down" },
      detail: "timeout",
    });
  });

  it("is asked at most four things at once", async () => {
    let running = 0;
    let most = 0;
    meddle = async (_, on) => {
      running += 1;
      most = Math.max(most, running);
      const given = await on();
      running -= 1;
      return given;
    };
    await Promise.all(Array.from({ length: 12 }, () => listedCalendars(mailboxOf(connector, account))));
    expect(most).toBe(4);
  });
});
