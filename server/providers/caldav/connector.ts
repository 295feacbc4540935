import { providerTraits } from "@/server/domain/providers";
import { egressFetch } from "@/server/egress/fetch";
import type { Outside } from "@/server/egress/send";
import { accounts } from "@/server/providers/caldav/account";
import { ask, type CaldavTransport } from "@/server/providers/caldav/ask";
import { listCalendars } from "@/server/providers/caldav/calendars";
import { credentialOf, sealable } from "@/server/providers/caldav/credential";
import { discover } from "@/server/providers/caldav/discover";
import { pull } from "@/server/providers/caldav/pull";
import { push, resourceName } from "@/server/providers/caldav/push";
import {
  type Credentials,
  type Mailbox,
  type MailboxAccess,
  type PasswordConnector,
  ProviderError,
  type SignedIn,
} from "@/server/providers/connector";

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

/** Calendars by CalDAV (RFC 4791), iCloud's above all. providers.md §2, §3.3. */
export function caldavConnector({
  entry,
  origins = [],
  sites,
  outside,
  deadlineMs = DEADLINE_MS,
}: CaldavOptions): PasswordConnector {
  const trusted = [new URL(entry).origin, ...origins];
  const fetch = egressFetch({ trustedOrigins: trusted, deadlineMs, mostBytes: MOST_BYTES }, outside);
  const transport: CaldavTransport = { fetch, origins: trusted, sites };
  const accountOf = accounts(transport);
  const open = (access: MailboxAccess): Mailbox => {
    let { credential } = access;
    const account = () => accountOf(credential);
    /** Where an account's calendars are no longer where they were, discovery finds them again (providers.md §2). */
    const rediscover = async (error: unknown) => {
      if (!isElsewhere(error)) throw error;
      const found = await verify(transport, credentialOf(credential));
      if (found.credential === credential) throw error;
      credential = found.credential;
      await access.renewed(credential);
    };
    return {
      calendars: async () => {
        const calendars = await listCalendars(account()).catch((error) =>
          rediscover(error).then(() => listCalendars(account())),
        );
        return { calendars, gone: null, syncToken: null };
      },
      changes: (from) => pull(account(), from),
      write: async (merge) => push(account(), merge),
    };
  };
  return {
    traits: providerTraits.icloud,
    signIn: { kind: "password", verify: (credentials) => verify(transport, credentials) },
    open,
    nameOf: resourceName,
  };
}

function isElsewhere(error: unknown): boolean {
  if (!(error instanceof ProviderError)) return false;
  return error.fault.kind === "gone" || error.detail.startsWith("led_");
}

async function verify(transport: CaldavTransport, { username, password }: Credentials) {
  const login = { username: username.trim(), password };
  const found = await discover(transport.origins[0] ?? "", (request) => ask(transport, login, request));
  const addresses = ownFirst(login.username, found.addresses);
  const { principal: subject, home, displayName } = found;
  const email = addresses[0] ?? login.username;
  const account: SignedIn = {
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
