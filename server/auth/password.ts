import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { Overloaded } from "@/server/auth/overloaded";
import { fairQueue } from "@/server/domain/fair-queue";

/** OWASP's parameters for scrypt: N = 2^17, r = 8, p = 1, which take 128 MiB. */
const COST: Required<Pick<ScryptOptions, "N" | "r" | "p">> = { N: 2 ** 17, r: 8, p: 1 };
const MAX_MEMORY = 192 * 1024 * 1024;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** Derivations at once: each holds all of its memory, and the others wait. */
const MOST_AT_ONCE = 2;
/** Waiting ones finish within about two seconds. A caller that would wait longer is refused at once. */
const MOST_WAITING = 10;
const RETRY_AFTER_S = 3;

/** The hash of no password, so that refusing unknown users takes the same time. */
export const NOBODYS_HASH = ["scrypt", COST.N, COST.r, COST.p, "A".repeat(22), "A".repeat(43)].join("$");

/**
 * Who requests a derivation. They take turns, and known ones come before strangers, of whom there may be any number.
 */
export interface Asker {
  /** An operator's id, or an address. */
  key: string;
  /** Signed in, or signed in from this address before. */
  isKnown: boolean;
}

/**
 * Hashes an operator's password for storage: `scrypt$N$r$p$salt$key`, so that the cost can be raised later. Throws
 * `Overloaded` when too many wait.
 */
export async function hashPassword(password: string, from: Asker): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, COST, from);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/**
 * Verifies a password against its hash in constant time. False for a hash of another format. Throws like
 * `hashPassword`.
 */
export async function verifyPassword(password: string, stored: string, from: Asker): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = stored.split("$");
  if (scheme !== "scrypt" || !salt || !key) return false;
  const expected = Buffer.from(key, "base64url");
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, "base64url"), cost, from);
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

async function derive(password: string, salt: Buffer, cost: typeof COST, from: Asker): Promise<Buffer> {
  if (running >= MOST_AT_ONCE) await waitInQueue(from);
  else running += 1;
  try {
    return await scrypted(password.normalize("NFKC"), salt, cost);
  } finally {
    const next = waiting.known.shift() ?? waiting.strangers.shift();
    if (next) next.begin();
    else running -= 1;
  }
}

let running = 0;
interface Waiting {
  begin(): void;
  refuse(): void;
}
const waiting = { known: fairQueue<Waiting>(MOST_WAITING), strangers: fairQueue<Waiting>(MOST_WAITING) };

function waitInQueue({ key, isKnown }: Asker): Promise<void> {
  return new Promise((resolve, reject) => {
    const queue = isKnown ? waiting.known : waiting.strangers;
    const refused = queue.push(key, { begin: resolve, refuse: () => reject(new Overloaded(RETRY_AFTER_S)) });
    refused?.refuse();
  });
}

function scrypted(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
