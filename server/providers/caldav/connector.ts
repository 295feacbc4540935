import { egressFetch } from "@/server/egress/fetch";
import type { Outside } from "@/server/egress/send";
import { accounts } from "@/server/providers/caldav/account";
import { ask, type Door } from "@/server/providers/caldav/ask";
import { listCalendars } from "@/server/providers/caldav/calendars";
import { sealable } from "@/server/providers/caldav/credential";
import { discover } from "@/server/providers/caldav/discover";
import { pull } from "@/server/providers/caldav/pull";
import { push } from "@/server/providers/caldav/push";
import type { ConnectedAccount, Connector } from "@/server/providers/connector";

export interface CaldavPlace {
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
const MOST_BYTES = 64 * 1024 * 1024;

/** Calendars by CalDAV (RFC 4791), iCloud's above all. providers.md §2, §3.3. */
export function caldavConnector({
  entry,
  origins = [],
  sites,
  outside,
  deadlineMs = DEADLINE_MS,
}: CaldavPlace): Connector {
  const trusted = [new URL(entry).origin, ...origins];
  const fetch = egressFetch({ trustedOrigins: trusted, deadlineMs, mostBytes: MOST_BYTES }, outside);
  const door: Door = { fetch, origins: trusted, sites };
  const open = accounts(door);
  return {
    capabilities: { meetingLinks: false, silentWrites: true, invitations: true },
    connect: (credentials) => connect(door, credentials),
    listCalendars: async (session) => listCalendars(open(session)),
    pull: (session, asked) => pull(open(session), asked),
    push: async (session, asked) => push(open(session), asked),
    watch: async () => null,
  };
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
