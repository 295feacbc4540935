import { resolve } from "node:path";
import * as z from "zod";
import { context } from "@/server/context";
import type { Range } from "@/server/domain/net/ranges";
import { isRedirectUri } from "@/server/domain/redirect-uri";
import { type SecondFactorPolicy, secondFactorPolicies } from "@/server/domain/second-factor";
import { bootstrapApplications } from "@/server/env/bootstrap-applications";
import { capacities } from "@/server/env/capacities";
import {
  account,
  address,
  addressRange,
  type EncryptionKey,
  encryptionKeys,
  entryPoint,
  exactOrigin,
  host,
  jsonOf,
  listOf,
  origin,
  port,
  share,
  text,
  whole,
} from "@/server/env/values";

const SHORTEST_PASSWORD = 12;
const LONGEST_NAME = 40;

/** What a process does: everything, requests alone, or background work alone. */
export const roles = ["all", "web", "worker"] as const;
export type Role = (typeof roles)[number];

export interface Env {
  PORT: number;
  HOST: string;
  /** The API's own origin, without a trailing slash. */
  BASE_URL: string;
  APP_URL: string;
  ALMANAC_ROLE: Role;
  /** Unset: the embedded database. The front door sets it before anything else reads it. */
  DATABASE_URL?: string;
  /** Connections of this process. */
  DATABASE_POOL: number;
  /** Unset: nothing is measured. */
  METRICS_PORT?: number;
  METRICS_HOST: string;
  /** Unset: nothing is traced. The exporter reads this one by itself, as it does other OTEL_* variables. */
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  OTEL_EXPORTER_OTLP_PROTOCOL: (typeof traceProtocols)[number];
  OTEL_TRACES_SAMPLER?: (typeof traceSamplers)[number];
  DRAIN_GRACE_SECONDS: number;
  DRAIN_SECONDS: number;
  /** Absolute. */
  DATA_DIR: string;
  BOOTSTRAP_APPLICATIONS: BootstrapApplication[];
  ADMIN_EMAIL?: string;
  ADMIN_PASSWORD?: string;
  WIRE_NAMES: "product" | "neutral";
  CALLBACK_ALLOWED_ORIGINS: string[];
  /** Of CalDAV servers that applications may offer although they are not public. */
  CALDAV_ALLOWED_ORIGINS: string[];
  /** Exact origins that feeds may have although they are not public. */
  FEED_ALLOWED_ORIGINS: string[];
  /** Whose X-Forwarded-For is believed. */
  TRUSTED_PROXIES: Range[];
  REDIS_URL?: string;
  /** The first one encrypts; all decrypt. */
  ENCRYPTION_KEYS: EncryptionKey[];
  INNGEST_BASE_URL?: string;
  INNGEST_EVENT_KEY?: string;
  INNGEST_SIGNING_KEY?: string;
  /** The signing key before or after this one, while the Inngest server changes it: calls with either are accepted. */
  INNGEST_SIGNING_KEY_FALLBACK?: string;
  /** Where the Inngest server calls the functions. Unset: BASE_URL. */
  INNGEST_SERVE_ORIGIN?: string;
  DELIVERY_SLOTS: number;
  SYNC_SLOTS: number;
  FIRST_SYNC_SLOTS: number;
  PUSH_SLOTS: number;
  SWEEP_SECONDS: number;
  GOOGLE_CLIENT_ID?: string;
  GOOGLE_CLIENT_SECRET?: string;
  GOOGLE_BASE_URL?: string;
  GOOGLE_REQUESTS_PER_MINUTE: number;
  MICROSOFT_CLIENT_ID?: string;
  MICROSOFT_CLIENT_SECRET?: string;
  MICROSOFT_BASE_URL?: string;
  MICROSOFT_REQUESTS_PER_MINUTE: number;
  ICLOUD_CALDAV_URL: string;
  ICLOUD_CALDAV_NAME?: string;
  SYNC_POLL_SECONDS: number;
  SYNC_QUIET_POLL_SECONDS: number;
  SANDBOX: "on" | "off";
  /** Whether clients may register themselves (RFC 7591). */
  CLIENT_REGISTRATION: "on" | "off";
  /** The issuer's address as its discovery document has it. */
  OIDC_ISSUER?: string;
  OIDC_CLIENT_ID?: string;
  OIDC_CLIENT_SECRET?: string;
  OIDC_NAME: string;
  /** Which operators need a second factor to sign in with their password. */
  STAFF_SECOND_FACTOR: SecondFactorPolicy;
  /** Unset: nothing is sent by email. */
  SMTP_URL?: string;
  /** Whom emails come from. */
  SMTP_FROM?: string;
  LOG_LEVEL: (typeof logLevels)[number];
  /** The share of successful reads that the request log stores. */
  REQUEST_LOG_SAMPLE: number;
}

export interface BootstrapApplication {
  name: string;
  client_id: string;
  /** Only a public client may have none. */
  client_secret?: string;
  redirect_uris: string[];
  compatibility_mode: boolean;
  edit_foreign_events: boolean;
  mcp_writes: boolean;
  public_client: boolean;
  connect_success_page: boolean;
  plan: "developer" | "standard";
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

/** Returns this process's configuration. Throws EnvFaults when it is read first. */
export function env(): Env {
  context.env ??= withNextAuthUrl(readEnv(process.env));
  return context.env;
}

/** Adds what the front door finds out at start, such as the embedded database's address and generated keys, to the configuration. */
export function provideEnv(values: EnvSource): Env {
  for (const [name, value] of Object.entries(values)) if (value !== undefined) process.env[name] = value;
  context.env = withNextAuthUrl(readEnv(process.env));
  return context.env;
}

/** Sets NEXTAUTH_URL, the one place where next-auth looks for the dashboard's origin. */
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
  const { ALMANAC_ROLE } = sound;
  if ((ALMANAC_ROLE === "web" || ALMANAC_ROLE === "worker") && !given.DATABASE_URL)
    faults.push(
      `DATABASE_URL must be set because ALMANAC_ROLE is ${ALMANAC_ROLE}: only one process can use the embedded database.`,
    );
  const here = `http://localhost:${sound.PORT ?? 0}`;
  const read = { ...sound, BASE_URL: sound.BASE_URL ?? here, APP_URL: sound.APP_URL ?? here };
  for (const [prefix, name] of signInProviders) {
    if (!given[`${prefix}_CLIENT_ID`] || given[`${prefix}_BASE_URL`] || isRedirectUri(`${read.APP_URL}/`)) continue;
    const because = `because ${prefix}_CLIENT_ID is set: ${name} sends users back over http to localhost only`;
    faults.push(`APP_URL must be an https URL ${because}.`);
  }
  if (faults.length > 0) throw new EnvFaults(faults, read as Partial<Env>);
  return read as Env;
}

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

const traceProtocols = ["http/protobuf", "http/json"] as const;
const traceSamplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

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
  ["SMTP_URL", "SMTP_FROM"],
] as const;

const maybe = text.optional();
const signingKey = text
  .regex(/^(signkey-\w+-)?([0-9a-f]{2}){8,}$/i, "must be hexadecimal, with or without a signkey-…- prefix")
  .optional();

const variables = {
  PORT: port().default(3000),
  HOST: host("0.0.0.0"),
  BASE_URL: origin("https", "http").optional(),
  APP_URL: origin("https", "http").optional(),
  ALMANAC_ROLE: z.enum(roles, `must be one of ${roles.join(", ")}`).default("all"),
  DATABASE_URL: address("postgres", "postgresql").optional(),
  DATABASE_POOL: whole(capacities.DATABASE_POOL),
  METRICS_PORT: port().optional(),
  METRICS_HOST: host("127.0.0.1"),
  OTEL_EXPORTER_OTLP_ENDPOINT: address("https", "http").optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(traceProtocols, `must be ${traceProtocols.join(" or ")}`)
    .default("http/protobuf"),
  OTEL_TRACES_SAMPLER: z.enum(traceSamplers, `must be one of ${traceSamplers.join(", ")}`).optional(),
  DRAIN_GRACE_SECONDS: whole(capacities.DRAIN_GRACE_SECONDS),
  DRAIN_SECONDS: whole(capacities.DRAIN_SECONDS),
  // The comment keeps the bundler from tracing the whole project.
  DATA_DIR: text.default("./.data").transform((folder) => resolve(/* turbopackIgnore: true */ folder)),
  BOOTSTRAP_APPLICATIONS: text.default("[]").transform(jsonOf).pipe(bootstrapApplications()),
  ADMIN_EMAIL: text.regex(/^[^\s@]+@[^\s@]+$/, "must be an email address").optional(),
  ADMIN_PASSWORD: text.min(SHORTEST_PASSWORD, `must have at least ${SHORTEST_PASSWORD} characters`).optional(),
  WIRE_NAMES: z.enum(["product", "neutral"], "must be product or neutral").default("product"),
  CALLBACK_ALLOWED_ORIGINS: text.default("").transform(listOf).pipe(z.array(exactOrigin())),
  CALDAV_ALLOWED_ORIGINS: text.default("").transform(listOf).pipe(z.array(exactOrigin())),
  FEED_ALLOWED_ORIGINS: text.default("").transform(listOf).pipe(z.array(exactOrigin())),
  TRUSTED_PROXIES: text.default("").transform(listOf).pipe(z.array(addressRange())),
  REDIS_URL: account("redis", "rediss").optional(),
  ENCRYPTION_KEYS: text.default("").transform(listOf).pipe(encryptionKeys()),
  INNGEST_BASE_URL: origin("https", "http").optional(),
  INNGEST_EVENT_KEY: maybe,
  INNGEST_SIGNING_KEY: signingKey,
  INNGEST_SIGNING_KEY_FALLBACK: signingKey,
  INNGEST_SERVE_ORIGIN: origin("https", "http").optional(),
  DELIVERY_SLOTS: whole(capacities.DELIVERY_SLOTS),
  SYNC_SLOTS: whole(capacities.SYNC_SLOTS),
  FIRST_SYNC_SLOTS: whole(capacities.FIRST_SYNC_SLOTS),
  PUSH_SLOTS: whole(capacities.PUSH_SLOTS),
  SWEEP_SECONDS: whole(capacities.SWEEP_SECONDS),
  GOOGLE_CLIENT_ID: maybe,
  GOOGLE_CLIENT_SECRET: maybe,
  GOOGLE_BASE_URL: origin("https", "http").optional(),
  GOOGLE_REQUESTS_PER_MINUTE: whole(capacities.GOOGLE_REQUESTS_PER_MINUTE),
  MICROSOFT_CLIENT_ID: maybe,
  MICROSOFT_CLIENT_SECRET: maybe,
  MICROSOFT_BASE_URL: origin("https", "http").optional(),
  MICROSOFT_REQUESTS_PER_MINUTE: whole(capacities.MICROSOFT_REQUESTS_PER_MINUTE),
  ICLOUD_CALDAV_URL: entryPoint("https", "http").default("https://caldav.icloud.com"),
  ICLOUD_CALDAV_NAME: text.max(LONGEST_NAME, `must have at most ${LONGEST_NAME} characters`).optional(),
  SYNC_POLL_SECONDS: whole(capacities.SYNC_POLL_SECONDS),
  SYNC_QUIET_POLL_SECONDS: whole(capacities.SYNC_QUIET_POLL_SECONDS),
  SANDBOX: z.enum(["on", "off"], "must be on or off").default("on"),
  CLIENT_REGISTRATION: z.enum(["on", "off"], "must be on or off").default("off"),
  OIDC_ISSUER: address("https", "http").optional(),
  OIDC_CLIENT_ID: maybe,
  OIDC_CLIENT_SECRET: maybe,
  OIDC_NAME: text.max(LONGEST_NAME, `must have at most ${LONGEST_NAME} characters`).default("single sign-on"),
  STAFF_SECOND_FACTOR: z.enum(secondFactorPolicies, "must be off, admins or all").default("off"),
  SMTP_URL: account("smtp", "smtps").optional(),
  SMTP_FROM: text.regex(/^[^\r\n]*[^\s@<]+@[^\s@>]+>?$/, "must be an email address").optional(),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(", ")}`).default("info"),
  REQUEST_LOG_SAMPLE: share().default(1),
} satisfies { [Name in keyof Env]-?: z.ZodType };

/** Every variable that is read, in the order of .env.example. */
export const variableNames = Object.keys(variables);

function place(path: PropertyKey[]): string {
  return path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
}
