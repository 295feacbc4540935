import { createHash } from "node:crypto";
import { clock } from "@/server/clock";
import { addressKey } from "@/server/domain/net/ranges";
import { VISITORS_APPLICATION } from "@/server/domain/visitors";
import {
  ACCOUNT,
  APPLICATION,
  type Bucket,
  FEED,
  PUBLIC_CLIENT,
  REGISTRATION,
  SIGN_IN_ADDRESS,
  SIGN_IN_NAME,
  STAFF_ADDRESS,
  STAFF_CALLS,
  STAFF_NAME,
  type Take,
  VISIT_ADDRESS,
  VISITOR,
  WRONG_CREDENTIALS,
  WRONG_FROM_ANYWHERE,
  weighed,
} from "@/server/http/rate-limit/buckets";
import { memoryStore } from "@/server/http/rate-limit/memory";
import { redisStore } from "@/server/http/rate-limit/redis";
import type { Draw } from "@/server/http/rate-limit/store";
import type { Log } from "@/server/log";
import { recentEntries } from "@/server/recent-entries";

export interface Limiter {
  /** One request of an account: one token from the application's bucket and one from the account's, or none. */
  take(caller: { applicationId: string; accountId: string }): Take | Promise<Take>;
  /** One request that has only client credentials. */
  takeApplication(applicationId: string): Take | Promise<Take>;
  wrongCredentials: {
    /** Asked before the credentials are looked at; takes nothing. Not allowed: 429 with retryAfter. */
    allowed(clientId: string, address: string): Take | Promise<Take>;
    /** After wrong credentials. */
    charge(clientId: string, address: string): Take | Promise<Take>;
    /** After right ones: what strangers guess elsewhere does not lock this client out here. */
    know(clientId: string, address: string): void;
  };
  /** One try to sign in at a provider: with a name, or on the provider's own page. The address is asked first, so that one address cannot shut many names out. */
  signIn(name: string | null, address: string): Promise<Take>;
  /** One request for tokens that a public client sent, or somebody in its name. */
  publicClient(applicationId: string, address: string): Promise<Take>;
  /** One client that registers itself. */
  registration(address: string): Promise<Take>;
  /** One calendar for a visitor of the documentation. */
  visit(address: string): Promise<Take>;
  /** One read of a calendar feed. */
  feed(feedId: string): Take | Promise<Take>;
  /** So many calls of an operator. */
  staffCalls(operatorId: string, calls?: number): Take | Promise<Take>;
  /** One try of staff to sign in: with an email address, or at the issuer of single sign-on. */
  staffSignIn(email: string | null, address: string): Promise<Take>;
  /** After a right password: what strangers try elsewhere does not lock this operator out here. */
  knowStaff(email: string, address: string): void;
  /** Whether `knowStaff` was called for them, in this process and not too long ago. */
  knowsStaff(email: string, address: string): boolean;
  /** Awaited before the first request: a connection that is still being made would count as an outage. Never rejects. */
  ready(): Promise<void>;
  /** Whether processes count in common now. Undefined: this one counts alone on purpose. */
  isShared(): boolean | undefined;
  close(): void;
}

export interface LimiterOptions {
  /** Several processes count in common there. Omitted: this process counts alone. */
  redisUrl?: string | undefined;
  log: Log;
  /** For tests that must not meet other tests' keys. */
  keyPrefix?: string;
}

export function limiter({ redisUrl, log, keyPrefix }: LimiterOptions): Limiter {
  const monotonic = () => clock().monotonic();
  const local = memoryStore(monotonic);
  const known = recentEntries<true>(KNOWN_SENDERS);
  const store = redisUrl ? redisStore({ url: redisUrl, local, monotonic, log, keyPrefix }) : local;
  return {
    take({ applicationId, accountId }) {
      const tag = bounded(applicationId);
      return store.run("take", [
        { bucket: APPLICATION, tag, key: tag },
        { bucket: applicationId === VISITORS_APPLICATION ? VISITOR : ACCOUNT, tag, key: bounded(accountId) },
      ]);
    },
    takeApplication(applicationId) {
      const tag = bounded(applicationId);
      return store.run("take", [{ bucket: APPLICATION, tag, key: tag }]);
    },
    wrongCredentials: {
      allowed: (clientId, address) => {
        const [here, ...anywhere] = guesses(clientId, address);
        return store.run("peek", known.has(here.key) ? [here] : [here, ...anywhere]);
      },
      charge: (clientId, address) => store.run("charge", guesses(clientId, address)),
      know: (clientId, address) => known.set(guesses(clientId, address)[0].key, true),
    },
    async signIn(name, address) {
      const take = await store.run("take", [drawn(SIGN_IN_ADDRESS, addressKey(address))]);
      return take.allowed && name !== null ? store.run("take", [drawn(SIGN_IN_NAME, name)]) : take;
    },
    publicClient: async (id, address) => await store.run("take", [drawn(PUBLIC_CLIENT, sender(id, address))]),
    registration: async (address) => await store.run("take", [drawn(REGISTRATION, addressKey(address))]),
    visit: async (address) => await store.run("take", [drawn(VISIT_ADDRESS, addressKey(address))]),
    feed: (feedId) => store.run("take", [drawn(FEED, feedId)]),
    staffCalls: (operatorId, calls = 1) => store.run("take", [drawn(weighed(STAFF_CALLS, calls), operatorId)]),
    async staffSignIn(email, address) {
      const take = await store.run("take", [drawn(STAFF_ADDRESS, addressKey(address))]);
      if (!take.allowed || email === null) return take;
      const here = drawn(STAFF_NAME, sender(email, address));
      return store.run("take", [known.has(here.key) ? here : drawn(STAFF_NAME, email)]);
    },
    knowsStaff: (email, address) => known.has(drawn(STAFF_NAME, sender(email, address)).key),
    knowStaff: (email, address) => known.set(drawn(STAFF_NAME, sender(email, address)).key, true),
    ready: () => store.ready(),
    isShared: () => store.isShared?.(),
    close: () => store.close(),
  };
}

/** Clients and operators with where they were right, of this process, the latest; one that is forgotten is limited as strangers are. */
const KNOWN_SENDERS = 20_000;

function drawn(bucket: Bucket, text: string): Draw {
  const key = digest(text);
  return { bucket, tag: key, key };
}

/**
 * Joins a name and an address, both a stranger's words: the name's length keeps ("a", "b:c") and ("a:b", "c") apart.
 */
function sender(name: string, address: string): string {
  return `${name.length}:${name}:${addressKey(address)}`;
}

/** Secrets without a client id, which are long, have no bucket over all addresses: strangers would lock everybody out with it. */
function guesses(clientId: string, address: string): [Draw, ...Draw[]] {
  const tag = digest(clientId);
  const here = { bucket: WRONG_CREDENTIALS, tag, key: digest(sender(clientId, address)) };
  return clientId === "" ? [here] : [here, { bucket: WRONG_FROM_ANYWHERE, tag, key: tag }];
}

/** Shortens an id to a key without a brace, which would move the hash tag of a Redis cluster. */
function bounded(id: string): string {
  return /^[\w.:-]{1,64}$/.test(id) ? id : `#${digest(id)}`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 32);
}
