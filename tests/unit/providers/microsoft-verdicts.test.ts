import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { microsoftVerdicts } from "@/server/domain/provider-responses/microsoft";
import { egressFetch } from "@/server/egress/fetch";
import type { ChangesInput, MailboxAccess } from "@/server/providers/connector";
import { graphApi } from "@/server/providers/microsoft/api";
import { microsoftConnector } from "@/server/providers/microsoft/connector";
import { mailboxZone } from "@/server/providers/microsoft/event-lists";
import { itemsById } from "@/server/providers/microsoft/series-items";
import { problemOf } from "@/server/providers/microsoft/sign-in-refusal";
import type { WriteInput } from "@/server/providers/writing";
import { writeToProvider } from "@/server/sync/write-event";
import { type MicrosoftFake, startMicrosoft } from "../../fakes/microsoft/microsoft";
import {
  type MicrosoftRequest,
  microsoftRefusal,
  microsoftRequests,
  notMicrosofts,
} from "../../fakes/microsoft/refusals";
import { at, eventState } from "./microsoft-writing";
import { outcomeOf, usual, verdictCases } from "./verdict-cases";

const ADA = "ada@example.com";
const window = { from: at("2027-01-01T00:00:00Z"), to: at("2027-06-01T00:00:00Z") };
/** Microsoft asks whether an address is ours: this one is, whatever it is asked. */
const url = () => `${fake.origin}/hook`;

let fake: MicrosoftFake;
beforeAll(async () => {
  fake = await startMicrosoft({ knobs: { consent: "given" } });
});
afterAll(() => fake.close());

/** Ada's calendars, opened by a process that has just started. */
function opened() {
  const { id: clientId, secret: clientSecret, redirectUris } = fake.client;
  const connector = microsoftConnector({ clientId, clientSecret, provider: "microsoft", origin: fake.origin });
  const redirectUri = redirectUris[0] ?? "";
  const back = async () => {
    const { url, secret } = connector.signIn.begin({ redirectUri, state: "s" });
    const page = await fetch(url, { redirect: "manual" });
    return { redirectUri, secret, query: new URL(page.headers.get("location") ?? "").searchParams };
  };
  const rejected: string[] = [];
  const access: MailboxAccess = {
    credential: "",
    accessToken: async (old) => {
      if (old !== undefined) rejected.push(old);
      return fake.accessToken(ADA);
    },
    renewed: async () => {},
  };
  const outward = egressFetch({ trustedOrigins: [fake.origin], deadlineMs: 30_000, mostBytes: 1024 * 1024 });
  const api = graphApi(outward, `${fake.origin}/v1.0`, access);
  return { connector, back, rejected, api, mailbox: connector.open(access), calendarId: fake.account(ADA).primary.id };
}

type Opened = ReturnType<typeof opened>;

async function all({ mailbox, calendarId }: Opened, syncToken: string | null) {
  const input: ChangesInput = { calendarId, syncToken, window, known: async () => new Map() };
  const pages = mailbox.changes(input);
  for (let page = await pages.next(); ; page = await pages.next()) if (page.done) return page.value.syncToken;
}

async function written({ connector, mailbox, calendarId }: Opened) {
  const row = randomUUID();
  const input: WriteInput = {
    ...{ calendarId, externalId: null, version: null, uid: row, name: connector.nameOf(row) },
    ...{ state: eventState(), removedGuests: [], notify: true },
  };
  const write = (more: Partial<WriteInput> = {}) => writeToProvider(mailbox, { ...input, ...more }, async () => {});
  const first = async () => {
    const done = await write();
    if (done.kind !== "done") throw new Error(done.reason);
    return done.externalId;
  };
  return { write, first };
}

const watched = async ({ mailbox, calendarId }: Opened) => {
  const channel = randomUUID();
  const target = { calendarId, url: url(), channel, secret: "s" };
  // The fake accepts no address that does not respond to it.
  const resource = randomUUID();
  return { target, watch: { channel, resource, expiresAt: Date.now() + 1_000_000 }, mailbox };
};

/** What prepares a request of each kind, and gives what sends it. */
const requests: Record<MicrosoftRequest, (at: Opened) => Promise<() => Promise<unknown>>> = {
  renew_access: async ({ connector }) => {
    const { credential } = await connector.signIn.refresh(fake.refreshToken(ADA));
    return () => connector.signIn.refresh(credential);
  },
  exchange_code: async ({ connector, back }) => {
    const callback = await back();
    return () => connector.signIn.finish(callback);
  },
  list_calendars:
    async ({ mailbox }) =>
    () =>
      mailbox.calendars(null),
  read_settings:
    async ({ api }) =>
    () =>
      mailboxZone(api),
  list_events: async (at) => () => all(at, null),
  list_event_changes: async (at) => {
    const syncToken = await all(at, null);
    return () => all(at, syncToken);
  },
  read_event: async (at) => {
    const id = await (await written(at)).first();
    return () => itemsById(at.api, at.calendarId, [id]);
  },
  find_link: async (at) => {
    const externalId = await (await written(at)).first();
    return async () => at.mailbox.meetingLink?.({ calendarId: at.calendarId, externalId });
  },
  open_watch: async (at) => {
    const { target } = await watched(at);
    return async () => at.mailbox.watch?.start(target);
  },
  renew_watch: async (at) => {
    const { watch, target } = await watched(at);
    return async () => at.mailbox.watch?.renew(watch, target);
  },
  stop_watch: async (at) => {
    const { watch } = await watched(at);
    return async () => at.mailbox.watch?.stop(watch);
  },
  create_event: async (at) => (await written(at)).write,
  change_event: async (at) => {
    const { write, first } = await written(at);
    const externalId = await first();
    return () => write({ externalId, state: eventState({ summary: "Renamed" }) });
  },
  delete_event: async (at) => {
    const { write, first } = await written(at);
    const externalId = await first();
    return () => write({ externalId, state: null });
  },
  batch: async (at) => {
    const ids = [await (await written(at)).first(), await (await written(at)).first()];
    return () => itemsById(at.api, at.calendarId, ids);
  },
};

/** What comes of a verdict for some kinds of requests, where it is not as usual. */
const otherwise: Partial<Record<MicrosoftRequest, Partial<Record<string, string>>>> = {
  read_settings: { skip: "fine" },
  read_event: { gone: "fine" },
  find_link: { gone: "fine" },
  // The fake knows none of the watches.
  renew_watch: { replace_token: "gone" },
  open_watch: { replace_token: "not watched" },
};

const cases = verdictCases(microsoftVerdicts, microsoftRequests).map(
  (one) => [one.kind, one.row.verdict, one] as const,
);

it.each(cases)("a response to %s that says %s is taken so: %#", async (kind, verdict, { row, samples }) => {
  for (const { status, word } of samples) {
    const at = opened();
    if (row.until !== "proven" && kind === "renew_access") await at.connector.signIn.refresh(fake.refreshToken(ADA));
    let send = row.until === "proven" ? await unproven(at, kind) : await requests[kind](at);
    if (verdict === "exists") {
      const { first, write } = await written(at);
      await first();
      send = write;
    }
    const fault = word === null ? notMicrosofts(kind, status) : microsoftRefusal(kind, status, word);
    fake.faults.next({ ...fault, times: row.until === "renewed" ? 1 : 9 });
    const isForUser = kind === "exchange_code" && word !== null && problemOf([word]) !== null;
    const expected = isForUser ? "for the user" : (otherwise[kind]?.[verdict] ?? usual[verdict]);
    expect([word, status, await outcomeOf(send)]).toEqual([word, status, expected]);
    expect(at.rejected.length > 0).toBe(status === 401 && isToken(kind, verdict));
    fake.faults.clear();
  }
});

/** Whether the access token was replaced before the verdict. */
const isToken = (kind: string, verdict: string) =>
  verdict === "replace_token" || (verdict === "reconnect" && kind !== "renew_access" && kind !== "exchange_code");

/** Prepared by another process. */
async function unproven({ connector, back }: Opened, kind: MicrosoftRequest) {
  if (kind === "renew_access") return () => connector.signIn.refresh(fake.refreshToken(ADA));
  const callback = await back();
  return () => connector.signIn.finish(callback);
}

it("there is a request for every kind that the table names", () => {
  const named = new Set(microsoftVerdicts.flatMap((row) => row.requests));
  // tests/sync/organizations-microsoft.test.ts sends the last two.
  const others = ["end_grant", "list_calendar_changes", "act_for_user", "read_directory"];
  expect([...microsoftRequests, ...others].sort()).toEqual([...named].sort());
});
