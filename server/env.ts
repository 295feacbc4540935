import { resolve } from "node:path";
import * as z from "zod";
import { parsedUrl } from "@/server/domain/net/parsed-url";
import { type Range, rangeOf } from "@/server/domain/net/ranges";
import { isRedirectUri, REDIRECT_URI_RULE } from "@/server/domain/redirect-uri";

const KEY_BYTES = 32;
const SHORTEST_PASSWORD = 12;
const LONGEST_CREDENTIAL = 500;
const LONGEST_POLL_S = 3_600;
export const DEFAULT_POLL_S = 60;
const LONGEST_NAME = 40;

export interface Env {
  PORT: number;
  HOST: string;
  /** The API's own origin, without a trailing slash. */
  BASE_URL: string;
  APP_URL: string;
  /** Unset: the embedded database. The front door sets it before anything else reads it. */
  DATABASE_URL?: string;
  /** Absolute. */
  DATA_DIR: string;
  BOOTSTRAP_APPLICATIONS: BootstrapApplication[];
  ADMIN_EMAIL?: string;
  ADMIN_PASSWORD?: string;
  WIRE_NAMES: "product" | "neutral";
  CALLBACK_ALLOWED_ORIGINS: string[];
  /** Whose X-Forwarded-For is believed. */
  TRUSTED_PROXIES: Range[];
  REDIS_URL?: string;
  /** The first one encrypts; all decrypt. */
  ENCRYPTION_KEYS: EncryptionKey[];
  INNGEST_BASE_URL?: string;
  INNGEST_EVENT_KEY?: string;
  INNGEST_SIGNING_KEY?: string;
  GOOGLE_CLIENT_ID?: string;
  GOOGLE_CLIENT_SECRET?: string;
  GOOGLE_BASE_URL?: string;
  MICROSOFT_CLIENT_ID?: string;
  MICROSOFT_CLIENT_SECRET?: string;
  MICROSOFT_BASE_URL?: string;
  ICLOUD_CALDAV_URL: string;
  SYNC_POLL_SECONDS: number;
  /** The issuer's address as its discovery document has it. */
  OIDC_ISSUER?: string;
  OIDC_CLIENT_ID?: string;
  OIDC_CLIENT_SECRET?: string;
  OIDC_NAME: string;
  LOG_LEVEL: (typeof logLevels)[number];
}

export interface BootstrapApplication {
  name: string;
  client_id: string;
  client_secret: string;
  redirect_uris: string[];
  compatibility_mode: boolean;
  plan: "developer" | "standard";
}

export interface EncryptionKey {
  kid: string;
  key: Buffer;
}

export type EnvSource = Record<string, string | undefined>;

/** Everything that is wrong at once; `sound` holds what could be read, so that it can be checked further. */
export class EnvFaults extends Error {
  override name = "EnvFaults";
  constructor(
    readonly faults: string[],
    readonly sound: Partial<Env>,
  ) {
    super(faults.join("\n"));
  }
}

declare global {
  var almanacEnv: Env | undefined;
}

/** This process's configuration. Next may load this module twice, so it lives on `globalThis`. */
export function env(): Env {
  globalThis.almanacEnv ??= withNextAuthUrl(readEnv(process.env));
  return globalThis.almanacEnv;
}

/** What the front door finds out at start (the embedded database's address, generated keys), put where everything in this process looks. */
export function provideEnv(values: EnvSource): Env {
  for (const [name, value] of Object.entries(values)) if (value !== undefined) process.env[name] = value;
  globalThis.almanacEnv = withNextAuthUrl(readEnv(process.env));
  return globalThis.almanacEnv;
}

/** next-auth looks for the dashboard's origin there and nowhere else. */
function withNextAuthUrl(env: Env): Env {
  process.env.NEXTAUTH_URL = env.APP_URL;
  return env;
}

/** Throws EnvFaults with a sentence for each fault. A value never appears in a sentence: it may be a secret. */
export function readEnv(source: EnvSource): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ""));
  const faults: string[] = [];
  const sound: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(variables)) {
    const result = schema.safeParse(given[name]);
    if (result.success) sound[name] = result.data;
    else for (const issue of result.error.issues) faults.push(`${name}${place(issue.path)} ${issue.message}.`);
  }
  for (const [one, other] of pairs) {
    if (given[one] && !given[other]) faults.push(`${other} must be set because ${one} is set.`);
    if (given[other] && !given[one]) faults.push(`${one} must be set because ${other} is set.`);
  }
  const origin = `http://localhost:${sound.PORT ?? 0}`;
  const read = { ...sound, BASE_URL: sound.BASE_URL ?? origin, APP_URL: sound.APP_URL ?? origin };
  for (const [prefix, name] of signInProviders) {
    if (!given[`${prefix}_CLIENT_ID`] || given[`${prefix}_BASE_URL`] || isRedirectUri(`${read.APP_URL}/`)) continue;
    const because = `because ${prefix}_CLIENT_ID is set: ${name} sends users back over http to localhost only`;
    faults.push(`APP_URL must be an https URL ${because}.`);
  }
  if (faults.length > 0) throw new EnvFaults(faults, read as Partial<Env>);
  return read as Env;
}

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

const signInProviders = [
  ["GOOGLE", "Google"],
  ["MICROSOFT", "Microsoft"],
] as const;

const pairs = [
  ["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"],
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["MICROSOFT_CLIENT_ID", "MICROSOFT_CLIENT_SECRET"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID"],
  ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
] as const;

const text = z.string();
const maybe = text.optional();

const variables = {
  PORT: text
    .regex(/^\d{1,5}$/, "must be a whole number from 0 to 65535")
    .transform(Number)
    .refine((port) => port <= 65_535, "must be a whole number from 0 to 65535")
    .default(3000),
  HOST: text.regex(/^[\w.:-]+$/, "must be a host name or an IP address").default("0.0.0.0"),
  BASE_URL: origin("https", "http").optional(),
  APP_URL: origin("https", "http").optional(),
  DATABASE_URL: address("postgres", "postgresql").optional(),
  // The comment keeps the bundler from tracing the whole project.
  DATA_DIR: text.default("./.data").transform((folder) => resolve(/* turbopackIgnore: true */ folder)),
  BOOTSTRAP_APPLICATIONS: text.default("[]").transform(jsonOf).pipe(bootstrapApplications()),
  ADMIN_EMAIL: text.regex(/^[^\s@]+@[^\s@]+$/, "must be an email address").optional(),
  ADMIN_PASSWORD: text.min(SHORTEST_PASSWORD, `must have at least ${SHORTEST_PASSWORD} characters`).optional(),
  WIRE_NAMES: z.enum(["product", "neutral"], "must be product or neutral").default("product"),
  CALLBACK_ALLOWED_ORIGINS: text.default("").transform(listOf).pipe(z.array(exactOrigin())),
  TRUSTED_PROXIES: text.default("").transform(listOf).pipe(z.array(addressRange())),
  REDIS_URL: address("redis", "rediss").optional(),
  ENCRYPTION_KEYS: text.default("").transform(listOf).pipe(encryptionKeys()),
  INNGEST_BASE_URL: origin("https", "http").optional(),
  INNGEST_EVENT_KEY: maybe,
  INNGEST_SIGNING_KEY: text
    .regex(/^(signkey-\w+-)?([0-9a-f]{2}){8,}$/i, "must be hexadecimal, with or without a signkey-…- prefix")
    .optional(),
  GOOGLE_CLIENT_ID: maybe,
  GOOGLE_CLIENT_SECRET: maybe,
  GOOGLE_BASE_URL: origin("https", "http").optional(),
  MICROSOFT_CLIENT_ID: maybe,
  MICROSOFT_CLIENT_SECRET: maybe,
  MICROSOFT_BASE_URL: origin("https", "http").optional(),
  ICLOUD_CALDAV_URL: origin("https", "http").default("https://caldav.icloud.com"),
  SYNC_POLL_SECONDS: text
    .regex(/^\d{1,4}$/, "must be a whole number from 1 to 3600")
    .transform(Number)
    .refine((seconds) => seconds >= 1 && seconds <= LONGEST_POLL_S, "must be a whole number from 1 to 3600")
    .default(DEFAULT_POLL_S),
  OIDC_ISSUER: address("https", "http").optional(),
  OIDC_CLIENT_ID: maybe,
  OIDC_CLIENT_SECRET: maybe,
  OIDC_NAME: text.max(LONGEST_NAME, `must have at most ${LONGEST_NAME} characters`).default("single sign-on"),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(", ")}`).default("info"),
} satisfies { [Name in keyof Env]-?: z.ZodType };

/** Every variable that is read, in the order of .env.example. */
export const variableNames = Object.keys(variables);

function place(path: PropertyKey[]): string {
  return path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
}

function hasScheme(url: URL, schemes: string[]): boolean {
  return schemes.includes(url.protocol.slice(0, -1));
}

function origin(...schemes: string[]) {
  return text
    .refine((value) => {
      const url = parsedUrl(value);
      return url && hasScheme(url, schemes) && !url.username && !url.password && /^[^/]+:\/\/[^/?#\\]+\/?$/.test(value);
    }, "must be an http or https URL without a path, query or credentials")
    .transform((value) => new URL(value).origin);
}

function address(...schemes: string[]) {
  return text.refine(
    (value) => {
      const url = parsedUrl(value);
      return url !== null && hasScheme(url, schemes);
    },
    `must be a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
  );
}

function exactOrigin() {
  return text.refine((value) => {
    const url = parsedUrl(value);
    return url !== null && hasScheme(url, ["http", "https"]) && url.origin === value;
  }, "must be an exact origin such as http://127.0.0.1:9999");
}

function addressRange() {
  return text.transform((value, context): Range => {
    const range = rangeOf(value);
    if (range) return range;
    context.addIssue({ code: "custom", message: "must be an IP address or a range such as 10.0.0.0/8" });
    return z.NEVER;
  });
}

function listOf(list: string): string[] {
  return list
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function encryptionKeys() {
  const key = text
    .regex(
      /^[a-z0-9]{1,16}:[A-Za-z0-9+/]+={0,2}$/,
      `must be a key id (1 to 16 characters of a-z and 0-9), a colon, and ${KEY_BYTES} bytes in base64`,
    )
    .transform((item) => {
      const [kid = "", encoded = ""] = item.split(":");
      return { kid, key: Buffer.from(encoded, "base64") };
    })
    .refine(({ key }) => key.length === KEY_BYTES, `must contain ${KEY_BYTES} bytes in base64`);
  return z.array(key).refine((keys) => isUnique(keys.map(({ kid }) => kid)), "must not contain the same key id twice");
}

function jsonOf(value: string, context: z.core.$RefinementCtx<string>): unknown {
  try {
    return JSON.parse(value);
  } catch {
    context.addIssue({ code: "custom", message: "must be JSON" });
    return z.NEVER;
  }
}

function bootstrapApplications() {
  const credential = z
    .string("must be a string")
    .min(1, "must not be empty")
    .max(LONGEST_CREDENTIAL, `must have at most ${LONGEST_CREDENTIAL} characters`);
  const application = z.strictObject(
    {
      name: z.string("must be a string").min(1, "must not be empty"),
      client_id: credential,
      client_secret: credential,
      redirect_uris: z
        .array(z.string("must be a string").refine(isRedirectUri, REDIRECT_URI_RULE), "must be an array")
        .refine(isUnique, "must not contain the same URI twice")
        .default([]),
      compatibility_mode: z.boolean("must be true or false").default(false),
      plan: z.enum(["developer", "standard"], "must be developer or standard").default("standard"),
    },
    {
      error: (issue) =>
        issue.code === "unrecognized_keys" ? `has unknown fields: ${issue.keys.join(", ")}` : "must be an object",
    },
  );
  return z
    .array(application, "must be a JSON array")
    .refine((all) => isUnique(all.map(({ client_id }) => client_id)), "must not contain the same client_id twice");
}

function isUnique(values: string[]): boolean {
  return new Set(values).size === values.length;
}
