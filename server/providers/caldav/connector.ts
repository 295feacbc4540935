import { egressFetch } from "@/server/egress/fetch";
import type { Outside } from "@/server/egress/send";
import { accounts } from "@/server/providers/caldav/account";
import { ask, type Door } from "@/server/providers/caldav/ask";
import { listCalendars } from "@/server/providers/caldav/calendars";
import { credentialOf, sealable } from "@/server/providers/caldav/credential";
import { discover } from "@/server/providers/caldav/discover";
import { pull } from "@/server/providers/caldav/pull";
import { push } from "@/server/providers/caldav/push";
import { type ConnectedAccount, type Connector, ProviderError, type Session } from "@/server/providers/connector";

export interface CaldavOptions {
  /** The server's entry point, as the operator configured it: trusted, and the only place where discovery begins. */
  entry: string;
  /** Origins that are trusted like it. */
  origins?: readonly string[];
  sites?: readonly string[];
  outside?: Outside;
  /** Milliseconds for one request. */
  deadlineMs?: number;
}

const DEADLINE_MS = 30_000;
/** Of an answer of which nothing more is known. */
const MOST_BYTES = 1024 * 1024;
const MOST_MOVED = 10_000;

/** Calendars by CalDAV (RFC 4791), iCloud's above all. providers.md §2, §3.3. */
export function caldavConnector({
  entry,
  origins = [],
  sites,
  outside,
  deadlineMs = DEADLINE_MS,
}: CaldavOptions): Connector {
  const trusted = [new URL(entry).origin, ...origins];
  const fetch = egressFetch({ trustedOrigins: trusted, deadlineMs, mostBytes: MOST_BYTES }, outside);
  const door: Door = { fetch, origins: trusted, sites };
  const open = accounts(door);
  const moved = new Map<string, Session>();
  const current = (session: Session) => moved.get(session.credential) ?? session;
  /** Where an account's calendars are no longer where they were, discovery finds them again (providers.md §2). */
  const rediscovered = async (session: Session, error: unknown): Promise<Session> => {
    if (!isElsewhere(error)) throw error;
    const { credential } = await connect(door, credentialOf(session));
    if (credential === current(session).credential) throw error;
    const [oldest] = moved.keys();
    if (moved.size >= MOST_MOVED && oldest !== undefined) moved.delete(oldest);
    moved.set(session.credential, { credential });
    return { credential };
  };
  return {
    capabilities: { meetingLinks: false, silentWrites: true, invitations: true },
    connect: (credentials) => connect(door, credentials),
    listCalendars: (session) =>
      listCalendars(open(current(session))).catch(async (error) =>
        listCalendars(open(await rediscovered(session, error))),
      ),
    pull: (session, asked) => pull(open(current(session)), asked),
    push: async (session, asked) => push(open(current(session)), asked),
    watch: async () => null,
  };
}

function isElsewhere(error: unknown): boolean {
  if (!(error instanceof ProviderError)) return false;
  return error.fault.kind === "gone" || error.detail.startsWith("led_");
}

async function connect(door: Door, { username, password }: { username: string; password: string }) {
  const login = { username: username.trim(), password };
  const found = await discover(door.origins[0] ?? "", (asked) => ask(door, login, asked));
  const addresses = ownFirst(login.username, found.addresses);
  const { principal: subject, home, displayName } = found;
  const email = addresses[0] ?? login.username;
  const account: ConnectedAccount = {
    ...{ subject, name: login.username, email },
    credential: sealable({ ...login, home, addresses, displayName }),
  };
  return account;
}

/** The address that a person signs in with goes before the server's other ones, and stands for them where it names none. */
function ownFirst(username: string, addresses: string[]): string[] {
  const own = username.toLowerCase();
  if (addresses.includes(own)) return [own, ...addresses.filter((address) => address !== own)];
  return addresses.length === 0 && own.includes("@") ? [own] : addresses;
}
