import { type ProviderTraits, providerTraits } from "@/server/domain/providers";
import { egressFetch } from "@/server/egress/fetch";
import type { Outside } from "@/server/egress/send";
import { accounts } from "@/server/providers/caldav/account";
import { ask, type CaldavTransport } from "@/server/providers/caldav/ask";
import type { Login, SignInScheme } from "@/server/providers/caldav/authentication";
import { busyTime } from "@/server/providers/caldav/busy-time";
import { listCalendars } from "@/server/providers/caldav/calendars";
import { credentialOf, sealable } from "@/server/providers/caldav/credential";
import { discover } from "@/server/providers/caldav/discover";
import { eventNow, pull } from "@/server/providers/caldav/pull";
import { resourceName } from "@/server/providers/caldav/shared-resource";
import { linkedAddress } from "@/server/providers/caldav/site";
import { caldavWriting } from "@/server/providers/caldav/write";
import {
  type CalendarAccount,
  type Credentials,
  type Mailbox,
  type MailboxAccess,
  type PasswordConnector,
  ProviderError,
} from "@/server/providers/connector";
import { countedFetch } from "@/server/providers/request-counts";

interface Reach {
  outside?: Outside;
  /** Milliseconds for one request. */
  deadlineMs?: number;
}

export interface CaldavOptions extends Reach {
  /** The server's entry point, as the operator configured it: trusted, and the only place where discovery begins. */
  entry: string;
  /** Origins that are trusted like it. */
  origins?: readonly string[];
  sites?: readonly string[];
}

/** The version of the reader of resources (`Mailbox.reader`). */
const READER = 2;
const DEADLINE_MS = 30_000;
/** Of an answer of which nothing more is known. */
const MOST_BYTES = 1024 * 1024;

/** Which servers a provider's accounts are at, and how they are reached. */
interface Servers {
  traits: ProviderTraits;
  /** Where discovery begins. `server`: of the account. */
  entryOf(server: string | undefined): string;
  transportTo(entry: string): CaldavTransport;
  /** What a principal is unique in. */
  subjectOf(entry: string, principal: string): string;
}

/** Connects calendars by CalDAV (RFC 4791) at one server, iCloud's above all (ADR 16). */
export function caldavConnector(options: CaldavOptions): PasswordConnector {
  const { entry, origins = [], sites } = options;
  const trusted = [new URL(entry).origin, ...origins];
  const transport = { fetch: fetchTo("icloud", trusted, options), origins: trusted, sites };
  return connectorTo({
    traits: providerTraits.icloud,
    entryOf: () => entry,
    transportTo: () => transport,
    subjectOf: (_, principal) => principal,
  });
}

export interface CaldavServersOptions extends Reach {
  /** Origins that the operator allows although they are not public. Any other server is judged like every address that a stranger chose. */
  allowedOrigins: readonly string[];
}

/** Connects calendars by CalDAV at the servers that applications offer to their users: each account names its own. */
export function caldavServersConnector(options: CaldavServersOptions): PasswordConnector {
  const fetch = fetchTo("caldav", options.allowedOrigins, options);
  return connectorTo({
    traits: providerTraits.caldav,
    entryOf: (server) => {
      if (server === undefined) throw new Error("an account names no server");
      return server;
    },
    transportTo: (entry) => ({ fetch, origins: [new URL(entry).origin] }),
    subjectOf: (entry, principal) => `${new URL(entry).origin}${principal}`,
  });
}

function fetchTo(
  provider: "icloud" | "caldav",
  trustedOrigins: readonly string[],
  { outside, deadlineMs = DEADLINE_MS }: Reach,
) {
  const fetch = egressFetch({ trustedOrigins, deadlineMs, mostBytes: MOST_BYTES }, outside);
  return countedFetch(fetch, provider, (method) => (method === "PUT" || method === "DELETE" ? "write" : "read"));
}

function connectorTo(servers: Servers): PasswordConnector {
  const accountOf = accounts(({ server }) => servers.transportTo(servers.entryOf(server)));
  const open = (access: MailboxAccess): Mailbox => {
    let { credential } = access;
    const account = () => accountOf(credential, access.signal);
    /** Where an account's calendars are no longer where they were, discovery finds them again. */
    const rediscover = async (error: unknown) => {
      if (!isElsewhere(error)) throw error;
      const found = await verify(servers, credentialOf(credential));
      if (found.credential === credential) throw error;
      credential = found.credential;
      await access.renewed(credential);
    };
    return {
      reader: READER,
      calendars: async () => {
        const calendars = await listCalendars(account()).catch((error) =>
          rediscover(error).then(() => listCalendars(account())),
        );
        return { calendars, gone: null, syncToken: null };
      },
      changes: (from) => pull(account(), from),
      event: (event) => eventNow(account(), event),
      busyTime: (asked) => busyTime(account(), asked),
      ...caldavWriting(account),
    };
  };
  return {
    traits: servers.traits,
    signIn: { kind: "password", verify: (credentials) => verify(servers, credentials) },
    open,
    nameOf: resourceName,
  };
}

function isElsewhere(error: unknown): boolean {
  if (!(error instanceof ProviderError)) return false;
  return error.fault.kind === "gone" || error.detail.startsWith("led_");
}

async function verify(servers: Servers, { username, password, server }: Credentials) {
  const login = { username: username.trim(), password };
  const entry = servers.entryOf(server);
  const transport = servers.transportTo(entry);
  const { scheme, ...found } = await discoverAs(transport, login, entry);
  const addresses = ownFirst(login.username, found.addresses);
  const { principal, home, moreHomes, displayName } = found;
  const email = addresses[0] ?? login.username;
  const account: CalendarAccount = {
    ...{ subject: servers.subjectOf(entry, principal), name: login.username, email },
    credential: sealable({
      ...{ ...login, home, addresses, displayName },
      ...(moreHomes.length > 0 && { moreHomes }),
      ...(server !== undefined && { server }),
      ...(scheme === "digest" && { scheme }),
    }),
  };
  return account;
}

/** Discovers an account and how its server signs it in. A server that shows strangers something, but never asks who they are, is asked once more with the password. */
async function discoverAs(transport: CaldavTransport, login: Omit<Login, "scheme">, entry: string) {
  const used: { scheme: SignInScheme | null } = { scheme: null };
  const asAccount = () =>
    discover(entry, {
      ask: async (request) => {
        const answer = await ask(transport, { ...login, ...used }, request);
        used.scheme = answer.scheme ?? used.scheme;
        return answer;
      },
      link: (href, base) => linkedAddress(href, base, transport),
    });
  const found = await asAccount().catch((error) => {
    if (!(error instanceof ProviderError) || used.scheme !== null || !neverAsked.has(error.detail)) throw error;
    used.scheme = "basic";
    return asAccount();
  });
  return { ...found, ...used };
}

const neverAsked = new Set(["unauthenticated", "no_principal"]);

/**
 * Puts the address that a person signs in with before the server's other addresses, and uses it alone if the server
 * names none.
 */
function ownFirst(username: string, addresses: string[]): string[] {
  const own = username.toLowerCase();
  if (addresses.includes(own)) return [own, ...addresses.filter((address) => address !== own)];
  return addresses.length === 0 && own.includes("@") ? [own] : addresses;
}
