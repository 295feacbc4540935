import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { caldavConnector } from "@/server/providers/caldav/connector";
import type { CalendarAccount, PasswordConnector } from "@/server/providers/connector";
import type { WriteInput } from "@/server/providers/writing";
import { writeToProvider } from "@/server/sync/write-event";
import { type Front, type FrontRequest, plain, startFront } from "../fakes/forward";
import { mailboxOf, noNote } from "../fakes/mailbox";
import { type OtherClient, otherClient } from "../fakes/other-client";
import { type Radicale, startRadicale } from "../fakes/radicale";
import { eventState, vevent } from "./caldav-pulls";

let radicale: Radicale;
let front: Front;
let connector: PasswordConnector;
let account: CalendarAccount;
let calendarId: string;
let other: OtherClient;
let refuses: string[] = [];
/** What others do just before the first request with this method comes through. */
let meanwhile: { method: string; happens(): Promise<unknown> } | null = null;
const asked: FrontRequest[] = [];

beforeAll(async () => {
  radicale = await startRadicale();
  front = await startFront(
    () => Number(new URL(radicale.url).port),
    async (one, on) => {
      asked.push(one);
      const now = meanwhile?.method === one.method ? meanwhile : null;
      if (now) meanwhile = null;
      await now?.happens();
      return refuses.includes(one.method) ? plain(403) : on();
    },
  );
  connector = caldavConnector({ entry: `http://127.0.0.1:${front.port}` });
  account = await connector.signIn.verify({ username: radicale.user, password: radicale.password });
  calendarId = new URL(radicale.calendar).pathname;
  other = otherClient(radicale.calendar, radicale);
});
beforeEach(() => {
  refuses = [];
  meanwhile = null;
});
afterAll(async () => {
  await front.close();
  await radicale.close();
});

const guest = { email: "ben@example.net", display_name: null, status: "needs_action" as const };

const named = () => ({ uid: "evt_1", name: connector.nameOf("evt_1") });

async function pushed(changes: Partial<WriteInput>) {
  const common = { calendarId, externalId: null, version: null, ...named(), removedGuests: [], notify: true };
  const state = eventState({ attendees: [guest] });
  const result = await writeToProvider(mailboxOf(connector, account), { ...common, state, ...changes }, noNote);
  if (result.kind !== "done") throw new Error(`refused: ${result.reason}`);
  return result;
}

/** The methods that a silent deletion needs; the event is gone then. */
async function deleted(externalId: string, version: string | null = null): Promise<string[]> {
  asked.length = 0;
  await pushed({ externalId, version, state: null, notify: false });
  expect(await other.find(externalId)).toBeUndefined();
  return asked.map(({ method }) => method).filter((method) => method === "PUT" || method === "DELETE");
}

it("an event whose guests the server has told is deleted silently as one that nobody is invited to", async () => {
  const { externalId, version } = await pushed({});
  expect(await deleted(externalId, version)).toEqual(["PUT", "DELETE"]);
  const [written] = asked.filter(({ method }) => method === "PUT");
  expect(written?.body.toString()).toContain("SUMMARY:Stand-up");
  expect(written?.body.toString()).not.toMatch(/ATTENDEE|ORGANIZER/);
});

it("it is deleted as it is where the server refuses that, and where it was changed in the meantime", async () => {
  const { externalId, version } = await pushed({});
  await other.change(externalId, (ics) => ics.replace("SUMMARY:Stand-up", "SUMMARY:Theirs"));
  refuses = ["PUT"];
  expect(await deleted(externalId, version)).toEqual(["PUT", "DELETE"]);
});

it("one whose guests the server has not told, or that another invites to, is deleted at once", async () => {
  const { externalId, version } = await pushed({ notify: false });
  expect(await deleted(externalId, version)).toEqual(["DELETE"]);
  const theirs = ["ORGANIZER:mailto:ben@example.net", "ATTENDEE:mailto:anna@example.com", "ATTENDEE:mailto:c@acme.io"];
  const invited = await other.create("invited", vevent("invited", theirs));
  expect(await deleted(new URL(invited.url).pathname)).toEqual(["DELETE"]);
});

it("one that is there no longer is as good as deleted", async () => {
  const { externalId, version } = await pushed({});
  await other.remove(externalId);
  expect(await deleted(externalId, version)).toEqual(["DELETE"]);
});

it("what is changed between the reading and the writing is written once more, so that nobody is told", async () => {
  const { externalId, version } = await pushed({});
  meanwhile = { method: "PUT", happens: () => other.change(externalId, (ics) => ics.replace("Stand-up", "Theirs")) };
  expect(await deleted(externalId, version)).toEqual(["PUT", "PUT", "DELETE"]);
  const [, written] = asked.filter(({ method }) => method === "PUT");
  expect(written?.body.toString()).toContain("SUMMARY:Theirs");
  expect(written?.body.toString()).not.toMatch(/ATTENDEE|ORGANIZER/);
});

it("guests that others put on it again just before it goes are not told either", async () => {
  const { externalId, version } = await pushed({});
  const { ics } = (await other.find(externalId)) ?? { ics: "" };
  expect(ics).toContain("ATTENDEE");
  meanwhile = { method: "DELETE", happens: () => other.change(externalId, () => ics) };
  expect(await deleted(externalId, version)).toEqual(["PUT", "DELETE", "PUT", "DELETE"]);
});

it("an event that the server does not let go has its guests again", async () => {
  const { externalId, version } = await pushed({});
  const before = await other.find(externalId);
  refuses = ["DELETE"];
  const common = { calendarId, ...named(), removedGuests: [], notify: false };
  const answer = await writeToProvider(
    mailboxOf(connector, account),
    { ...common, externalId, version, state: null },
    noNote,
  );
  expect(answer).toEqual({ kind: "refused", reason: "http_403" });
  expect(before?.ics).toContain("ATTENDEE");
  expect((await other.find(externalId))?.ics).toBe(before?.ics);
});
