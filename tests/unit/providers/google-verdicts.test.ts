import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { googleVerdicts } from "@/server/domain/provider-responses/google";
import type { ChangesInput, MailboxAccess } from "@/server/providers/connector";
import { googleConnector } from "@/server/providers/google/connector";
import type { WriteInput } from "@/server/providers/writing";
import { writeToProvider } from "@/server/sync/write-event";
import { type GoogleFake, startGoogle } from "../../fakes/google/google";
import { type GoogleRequest, googleRefusal, googleRequests, notGoogles } from "../../fakes/google/refusals";
import { at, eventState } from "./microsoft-writing";
import { outcomeOf, usual, verdictCases } from "./verdict-cases";

const ADA = "ada@example.com";
const window = { from: at("2027-01-01T00:00:00Z"), to: at("2027-06-01T00:00:00Z") };

let fake: GoogleFake;
beforeAll(async () => {
  fake = await startGoogle({ knobs: { consent: "given" } });
});
afterAll(() => fake.close());

/** Ada's calendars, opened by a process that has just started. */
function opened() {
  const { id: clientId, secret: clientSecret, redirectUris } = fake.client;
  const connector = googleConnector({ clientId, clientSecret, origin: fake.origin });
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
  return { connector, back, rejected, mailbox: (credential = "") => connector.open({ ...access, credential }) };
}

type Opened = ReturnType<typeof opened>;

async function grant({ connector, back }: Opened): Promise<string> {
  const signedIn = await connector.signIn.finish(await back());
  if ("problem" in signedIn) throw new Error(signedIn.problem);
  return signedIn.credential;
}

async function all({ mailbox }: Opened, syncToken: string | null) {
  const input: ChangesInput = { calendarId: ADA, syncToken, window, known: async () => new Map() };
  const pages = mailbox().changes(input);
  for (let page = await pages.next(); ; page = await pages.next()) if (page.done) return page.value.syncToken;
}

function written({ connector, mailbox }: Opened, more: Partial<WriteInput> = {}) {
  const row = randomUUID();
  const input: WriteInput = {
    ...{ calendarId: ADA, externalId: null, version: null, uid: row, name: connector.nameOf(row) },
    ...{ state: eventState(), removedGuests: [], notify: false, ...more },
  };
  const write = (again: Partial<WriteInput> = {}) => writeToProvider(mailbox(), { ...input, ...again }, async () => {});
  return { write, name: input.name };
}

const target = { calendarId: ADA, url: "https://almanac.example/hooks/google", secret: "s" };

/** What prepares a request of each kind, and gives what sends it. */
const requests: Record<GoogleRequest, (at: Opened) => Promise<() => Promise<unknown>>> = {
  renew_access: async (at) => {
    const credential = await grant(at);
    return () => at.connector.signIn.refresh(credential);
  },
  exchange_code: async (at) => {
    const callback = await at.back();
    return () => at.connector.signIn.finish(callback);
  },
  end_grant: async (at) => {
    const credential = await grant(at);
    return async () => at.mailbox(credential).revoke?.();
  },
  list_calendars: async (at) => () => at.mailbox().calendars(null),
  list_calendar_changes: async (at) => {
    const { syncToken } = await at.mailbox().calendars(null);
    return () => at.mailbox().calendars(syncToken);
  },
  list_events: async (at) => () => all(at, null),
  list_event_changes: async (at) => {
    const syncToken = await all(at, null);
    return () => all(at, syncToken);
  },
  read_event: async (at) => {
    const { write, name } = written(at);
    await write();
    return async () => at.mailbox().meetingLink?.({ calendarId: ADA, externalId: name });
  },
  open_watch: async (at) => async () => at.mailbox().watch?.start({ ...target, channel: randomUUID() }),
  stop_watch: async (at) => {
    const channel = randomUUID();
    const watch = await at.mailbox().watch?.start({ ...target, channel });
    if (!watch || !("resource" in watch)) throw new Error("nothing is watched");
    return async () => at.mailbox().watch?.stop(watch);
  },
  create_event: async (at) => {
    const { write } = written(at);
    return write;
  },
  change_event: async (at) => {
    const { write, name } = written(at);
    await write();
    return () => write({ externalId: name, state: eventState({ summary: "Renamed" }) });
  },
  delete_event: async (at) => {
    const { write, name } = written(at);
    await write();
    return () => write({ externalId: name, state: null });
  },
};

const cases = verdictCases(googleVerdicts, googleRequests).map((one) => [one.kind, one.row.verdict, one] as const);

it.each(cases)("a response to %s that says %s is taken so: %#", async (kind, verdict, { row, samples }) => {
  for (const { status, word } of samples) {
    const at = opened();
    if (row.until !== "proven" && kind === "renew_access") await grant(at);
    let send = row.until === "proven" ? await unproven(at, kind) : await requests[kind](at);
    if (verdict === "exists") {
      const first = written(at);
      await first.write();
      send = first.write;
    }
    const fault = word === null ? notGoogles(kind, status) : googleRefusal(kind, status, word);
    fake.faults.next({ ...fault, times: row.until === "renewed" ? 1 : 9 });
    const expected = kind === "read_event" && verdict === "gone" ? "fine" : usual[verdict];
    expect([word, status, await outcomeOf(send)]).toEqual([word, status, expected]);
    expect(at.rejected.length > 0).toBe(status === 401 && isToken(kind, verdict));
    fake.faults.clear();
  }
});

/** Whether the access token was replaced before the verdict. */
const isToken = (kind: string, verdict: string) =>
  verdict === "replace_token" || (verdict === "reconnect" && kind !== "renew_access" && kind !== "exchange_code");

/** Prepared by another process. */
async function unproven({ connector, back }: Opened, kind: GoogleRequest) {
  if (kind !== "renew_access") {
    const callback = await back();
    return () => connector.signIn.finish(callback);
  }
  const credential = await grant(opened());
  return () => connector.signIn.refresh(credential);
}

it("there is a request for every kind that the table names", () => {
  const named = new Set(googleVerdicts.flatMap((row) => row.requests));
  // tests/sync/organizations-google.test.ts sends the last two.
  const others = ["read_settings", "find_link", "renew_watch", "batch", "act_for_user", "read_directory"];
  expect([...googleRequests, ...others].sort()).toEqual([...named].sort());
});
