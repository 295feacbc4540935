import { randomBytes } from "node:crypto";
import { onTestFinished } from "vitest";
import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import type { Access } from "@/server/domain/access";
import type { Connectable } from "@/server/domain/providers";
import { caldavConnector } from "@/server/providers/caldav/connector";
import type { CalendarAccount, Connector, PasswordConnector } from "@/server/providers/connector";
import { provideConnector } from "@/server/providers/connectors";
import { connectCalendarAccount } from "@/server/services/connect/connect-account";
import { pushes } from "@/server/sync/pushes";
import { syncs } from "@/server/sync/syncs";
import type { WorkLoop } from "@/server/work-loop";
import { applicationId, exchange, REDIRECT_URI, withToken } from "../api/grants";
import { type ApiResponse, type Application, newApplication } from "../api/service";
import { work } from "../api/webhooks/world";
import type { Login } from "../fakes/dav-server";
import { listedCalendars, mailboxOf } from "../fakes/mailbox";
import type { Receiver } from "../fakes/receiver";
import { changeSync, setConnected, setSyncDueNow, storedProfile, storedSync } from "../fakes/stored";
import { setSignalsDue } from "../fakes/stored-signals";
import { setWritesDueNow } from "../fakes/stored-writes";

export const POLL_MS = 60_000;
/** A provider's program may be slow on a busy machine, and is not meant to be down then. */
const PATIENCE_MS = 60_000;

export interface Person<Kind extends Connector = PasswordConnector, Credentials = Login> {
  application: Application;
  accountId: string;
  profileId: string;
  connector: Kind;
  syncing: WorkLoop;
  pushing: WorkLoop;
  /** Such loops as another process has. */
  loops(options: LoopOptions): { syncing: WorkLoop; pushing: WorkLoop };
  accessToken: string;
  get(path: string, query?: Record<string, string>): Promise<ApiResponse>;
  post(path: string, json: unknown): Promise<ApiResponse>;
  remove(path: string, json: unknown): Promise<ApiResponse>;
  /** The calendar that has this name at the provider. */
  calendarId(name: string): Promise<string>;
  /** As `GET /v1/events` gives them for the calendar, the next thirty days. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the documented JSON.
  events(calendarId: string, query?: Record<string, string>): Promise<any[]>;
  /** The profile is synced, whenever it was due. */
  sync(): Promise<void>;
  /** What the application wrote is brought to the provider, whenever it was due. */
  push(): Promise<void>;
  profile(): Promise<ProfileRow>;
  /** The person signs in again on the connect page. */
  connectAgain(login: Credentials, access?: Access): Promise<{ accountId: string; profileId: string; code: string }>;
}

export interface LoopOptions {
  onIdle?(nextInMs: number): void;
  hookUrl?(): string;
  pollMs?: number;
  longestPollMs?: number;
  random?(): number;
}

export interface ProfileRow {
  connected: boolean;
  initial_sync_required: boolean;
  sync_failures: number;
  sync_error: string | null;
  /** In how many seconds it is due. */
  due_in: number | null;
}

export interface CaldavServer {
  url: string;
  /** Origins that are trusted beside it. */
  origins?: string[];
  deadlineMs?: number;
}

/** Somebody whose calendars at a CalDAV server are connected to an application of their own. Nothing is synced yet. */
export function connectPerson(
  { url, origins, deadlineMs = PATIENCE_MS }: CaldavServer,
  login: Login,
  application?: Application,
  access?: Access,
) {
  const connector = caldavConnector({ entry: url, origins, deadlineMs });
  const verify = ({ user, password }: Login) => connector.signIn.verify({ username: user, password });
  return connectedPerson({ application, connector, provider: "icloud", signIn: verify, access }, login);
}

interface ConnectPersonInput<Kind extends Connector, Credentials> {
  /** Omitted: a new one. */
  application?: Application;
  connector: Kind;
  provider: Connectable;
  signIn(credentials: Credentials, access: Access): Promise<CalendarAccount>;
  /** What the application asks for first. Omitted: everything. */
  access?: Access;
}

/** As `connectPerson`, at any provider. */
export async function connectedPerson<Kind extends Connector, Credentials>(
  { application: given, connector, provider, signIn, access: first = "full" }: ConnectPersonInput<Kind, Credentials>,
  login: Credentials,
): Promise<Person<Kind, Credentials>> {
  const application = given ?? (await newApplication());
  if (provider !== "icloud") provideConnector(provider, connector);
  const engine = { db, connectorOf: (name: string) => (name === provider ? connector : null) };
  const loops = (more: LoopOptions = {}) => ({
    syncing: syncs({ ...engine, pollMs: POLL_MS, ...more }),
    pushing: pushes({ ...engine, ...more }),
  });
  const { syncing, pushing } = loops();
  const connect = async (credentials: Credentials, access: Access = "full") => {
    const account = await signIn(credentials, access);
    const connected = await connectCalendarAccount(db(), {
      applicationId: await applicationId(application),
      request: { redirectUri: REDIRECT_URI, codeChallenge: null, linkToken: null },
      ...{ provider, account, access },
      calendars: await listedCalendars(mailboxOf(connector, account)),
      // The application may not, unless a test allows it.
      foreignEdits: true,
      now: clock().now(),
    });
    if (connected.kind !== "connected") throw new Error(`not connected: ${connected.kind}`);
    return connected;
  };
  const { code, accountId, profileId } = await connect(login, first);
  onTestFinished(async () => {
    await Promise.all([syncing.stop(), pushing.stop()]);
    await setConnected(profileId, false);
    if (provider !== "icloud") provideConnector(provider, null);
  });
  const { json } = await exchange(application, code);
  const ask = (method: string) => (path: string, body?: unknown) => withToken(method, path, json.access_token, body);
  const get = (path: string, query = {}) => ask("GET")(`${path}?${new URLSearchParams(query)}`);
  return {
    ...{ application, accountId, profileId, connector, syncing, pushing, loops, get },
    accessToken: json.access_token,
    post: ask("POST"),
    remove: ask("DELETE"),
    calendarId: async (name) => {
      const { json } = await get("/v1/calendars");
      return json.calendars.find((one: { calendar_name: string }) => one.calendar_name === name).calendar_id;
    },
    events: async (calendarId, query = {}) => {
      const range = {
        from: day(-1),
        to: day(30),
        tzid: "Etc/UTC",
        "calendar_ids[]": calendarId,
        include_managed: "true",
      };
      const answer = await get("/v1/events", { ...range, ...query });
      if (answer.status !== 200) throw new Error(`the events were not read: ${answer.status} ${answer.text}`);
      return answer.json.events;
    },
    sync: async () => {
      await setSyncDueNow(profileId);
      await syncing.drain(60_000);
    },
    push: async () => {
      await changeSync(profileId, { throttledUntil: null });
      await setWritesDueNow(profileId);
      await pushing.drain(60_000);
    },
    profile: async () => {
      const { connected, initialSyncRequired } = await storedProfile(profileId);
      const { syncFailures, syncError, syncDueAt } = await storedSync(profileId);
      const dueIn = syncDueAt && (syncDueAt.getTime() - (databaseTime() ?? new Date()).getTime()) / 1_000;
      const state = { connected, initial_sync_required: initialSyncRequired };
      return { ...state, sync_failures: syncFailures, sync_error: syncError, due_in: dueIn };
    },
    connectAgain: connect,
  };
}

/** A channel of the person's account, past its verification. `settled` gives what came to it by now, the coalescing second over. */
export async function watch(person: Pick<Person, "post" | "accountId">, receiver: Receiver) {
  const path = `/${randomBytes(6).toString("hex")}`;
  const answer = await person.post("/v1/channels", { callback_url: receiver.url(path) });
  if (answer.status !== 200) throw new Error(`a channel was not opened: ${answer.status} ${answer.text}`);
  const id = answer.json.channel.channel_id;
  const settled = async (): Promise<string[]> => {
    await setSignalsDue(person.accountId);
    await work();
    return receiver.got
      .filter(({ json }) => json.channel.channel_id === id && json.notification.type !== "verification")
      .map(({ json }) => json.notification.type);
  };
  const forget = () => receiver.got.splice(0);
  await settled();
  forget();
  return { settled, forget };
}

/** Read once for each file: days that are counted on both sides of a midnight would not fit together. */
const now = Date.now();

/** A date so many days from today. */
export function day(offset: number): string {
  return new Date(now + offset * 86_400_000).toISOString().slice(0, 10);
}

/** A date as iCalendar writes it, with a time of day such as 100000 if credentials. */
export function ical(offset: number, time?: string): string {
  const date = day(offset).replaceAll("-", "");
  return time ? `${date}T${time}` : date;
}

/** An event of the other person's, as her client would write it. */
export function vevent(uid: string, lines: Record<string, string> | string[] = {}): string {
  const more = Array.isArray(lines) ? lines : Object.entries(lines).map(([name, value]) => `${name}:${value}`);
  const has = (name: string) => more.some((line) => line.startsWith(name));
  return [
    "BEGIN:VEVENT",
    `UID:${uid}`,
    "DTSTAMP:20260101T000000Z",
    ...(has("SUMMARY") ? [] : [`SUMMARY:${uid}`]),
    ...(has("DTSTART") ? [] : [`DTSTART:${ical(2, "100000Z")}`, `DTEND:${ical(2, "110000Z")}`]),
    ...more,
    "END:VEVENT",
  ].join("\r\n");
}

/** An event of the application's, two days from now. */
export function ours(eventId: string, more: object = {}) {
  return {
    event_id: eventId,
    summary: `Ours ${eventId}`,
    description: "",
    start: `${day(2)}T14:00:00Z`,
    end: `${day(2)}T15:00:00Z`,
    ...more,
  };
}
