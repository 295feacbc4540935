import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { applicationId } from "../api/grants";
import type { ApiResponse } from "../api/service";
import { bundledProgram } from "../fakes/bundled-program";
import { book, bookingIn, moved, ofBooking } from "./booking";
import { fileEnvironment } from "./file-environment";
import { ADA, syncedGoogle } from "./google-scene";

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Does one thing with bookings and is killed at a statement of its transaction, before it is sent or once it was answered. */
const program = `
import pg from "pg";
import { db } from "@/server/db/client";
import { apiCaller } from "@/server/services/api";
const { call, input, client, at, isDone } = JSON.parse(process.env.TASK);
let statements = -1;
const query = pg.Client.prototype.query;
pg.Client.prototype.query = function (...args) {
  const text = args[0]?.text ?? args[0];
  if (text === "BEGIN") statements = 0;
  if (statements < 0) return query.apply(this, args);
  const isLast = statements++ === at;
  if (isLast && !isDone) process.kill(process.pid, "SIGKILL");
  const answered = query.apply(this, args);
  if (isLast) answered?.then?.(() => process.kill(process.pid, "SIGKILL"));
  if (text === "COMMIT") statements = -1;
  return answered;
};
const api = apiCaller({ db: db(), now: Date.now(), names: "product", baseUrl: "", callbackOrigins: [],
  sandbox: { isOn: false, refusesWrites: false }, bearer: null, client, limits: {} });
await api.bookings[call](input);
process.exit(0);
`;
let code = "";
beforeAll(() => {
  code = bundledProgram(program);
});

type Scene = Awaited<ReturnType<typeof syncedGoogle>>;
type Body = ReturnType<typeof bookingIn>;

interface Asked {
  call: "book" | "confirm" | "cancel";
  input: object;
}

/** The statement of the transaction, counted from 0, and whether the database has answered it by then. */
interface Kill {
  at: number;
  isDone: boolean;
}

/** A process of the service that does what is asked. */
async function began({ provider, person }: Scene, asked: Asked, kill?: Kill) {
  const { id: GOOGLE_CLIENT_ID, secret: GOOGLE_CLIENT_SECRET } = provider.client;
  const google = { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_BASE_URL: provider.origin };
  const client = { id: await applicationId(person.application), plan: "standard", compatibilityMode: false };
  const child = spawn(process.execPath, ["--input-type=module", "-"], {
    cwd: root,
    env: { ...process.env, ...google, TASK: JSON.stringify({ ...asked, ...kill, client }) },
    stdio: ["pipe", "ignore", "inherit"],
  });
  const exited = once(child, "exit");
  child.stdin.end(code);
  return { child, exited };
}

/** Whether it was killed before it was done. */
async function isKilled(scene: Scene, asked: Asked, kill: Kill | undefined): Promise<boolean> {
  const [exit, signal] = await (await began(scene, asked, kill)).exited;
  expect([exit, signal]).toEqual(signal ? [null, "SIGKILL"] : [0, null]);
  return signal !== null;
}

/** All that there is of a booking, but for the time of day. */
async function stored(calendarId: string, eventId: string) {
  const { prisma } = db();
  const bookings = await prisma.booking.findMany({ where: { calendarId, eventId }, include: { calendars: true } });
  const events = await prisma.event.findMany({ where: { calendarId, eventId, deletedAt: null } });
  const rows = { calendarId, masterId: { in: events.map(({ id }) => id) }, state: 0 };
  const occurrences = await prisma.occurrence.findMany({ where: rows });
  return {
    bookings: bookings.map((one) => [one.heldUntil !== null, one.heldStarts.length, one.calendars.length]),
    events: events.map(({ summary }) => summary),
    minutes: occurrences.map(({ starts, ends }) => (ends.getTime() - starts.getTime()) / 60_000),
    writes: await prisma.providerWrite.count({ where: { calendarId, event: { eventId } } }),
  };
}

interface Play {
  what: string;
  /** What is done before. Gives what is then asked for. */
  begin(scene: Scene, body: Body): Promise<Asked>;
}

const plays: Play[] = [
  {
    what: "a booking",
    begin: async (_, body) => ({ call: "book", input: body }),
  },
  {
    what: "a hold that is confirmed",
    begin: async ({ person }, body) => {
      const { json } = await book(person, { ...body, hold_seconds: 600 });
      return { call: "confirm", input: json };
    },
  },
  {
    what: "a booking that is cancelled",
    begin: async ({ person }, body) => {
      const { json } = await book(person, body);
      await person.push();
      return { call: "cancel", input: json };
    },
  },
];

/** Whoever asked and got no answer asks again. */
async function askedAgain({ person }: Scene, { call, input }: Asked): Promise<void> {
  const known = { json: input } as ApiResponse;
  if (call === "cancel") return expect([202, 404]).toContain((await ofBooking(person, known, "DELETE")).status);
  const answer = await (call === "book" ? book(person, input) : ofBooking(person, known, "POST", "/confirm"));
  expect(answer.json.state).toBe("booked");
}

describe("a process that dies at any statement of a transaction leaves all of it or nothing:", () => {
  const play = async (scene: Scene, { begin }: Play, hour: number, kill?: Kill) => {
    const { calendarId, person, calendar } = scene;
    const time = String(hour).padStart(2, "0");
    const body = moved(bookingIn(person, calendarId), `${time}:00`, `${time}:30`);
    const { event_id: eventId, start } = body.event;
    const asked = await begin(scene, body);
    const before = await stored(calendarId, eventId);
    const wasKilled = await isKilled(scene, asked, kill);
    const between = await stored(calendarId, eventId);
    if (wasKilled) await askedAgain(scene, asked);
    const after = await stored(calendarId, eventId);
    await person.push();
    const living = calendar.events().filter(({ status }) => status !== "cancelled");
    const there = living.filter((one) => Date.parse(one.start?.dateTime ?? "") === Date.parse(start)).length;
    return { before, between, after, wasKilled, there };
  };

  it.each(plays)("$what", async (one) => {
    const scene = await syncedGoogle();
    const expected = await play(scene, one, 0);
    expect(expected.after).not.toEqual(expected.before);
    let at = 0;
    for (; ; at += 1) {
      const came = await play(scene, one, at + 1, { at, isDone: false });
      if (!came.wasKilled) break;
      const untouched = { ...expected, between: expected.before, wasKilled: true };
      expect(came, `killed before statement ${at}`).toEqual(untouched);
    }
    expect(at).toBeGreaterThan(4);
    const last = await play(scene, one, at + 2, { at: at - 1, isDone: true });
    expect(last, "killed after the last").toEqual({ ...expected, wasKilled: true });
  });
});

it("a process that dies while it waits for the provider has written nothing", async () => {
  const scene = await syncedGoogle();
  const { person, calendarId, provider } = scene;
  const body = bookingIn(person, calendarId);
  const { child, exited } = await began(scene, { call: "book", input: body });
  const kill = { afterWork: true, breakConnection: true, run: () => void child.kill("SIGKILL") };
  provider.faults.next({ path: /\/events$/, ...kill });
  expect(await exited).toEqual([null, "SIGKILL"]);
  const nothing = { bookings: [], events: [], minutes: [], writes: 0 };
  expect(await stored(calendarId, body.event.event_id)).toEqual(nothing);
  expect((await book(person, body)).status).toBe(201);
  await person.push();
  expect(provider.account(ADA).primary.events()).toHaveLength(1);
});
