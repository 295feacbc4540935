import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { derivedKeys, digest } from "@/server/db/sealed";
import { accessLevels } from "@/server/domain/access";
import { PAGE_LIFE_MS } from "@/server/domain/grants";
import type { ConnectRequest } from "@/server/services/connect/request";

const PURPOSE = "connect page";

const signed = z.object({
  clientId: z.string(),
  redirectUri: z.string(),
  state: z.string().nullable(),
  scope: z.string().nullable(),
  codeChallenge: z.string().nullable(),
  linkToken: z.string().nullable(),
  locale: z.string().nullable(),
  // Pages of the previous version say neither.
  foreignEdits: z.boolean().default(false),
  access: z.enum(accessLevels).default("full"),
  browser: z.string(),
  until: z.number(),
});

/**
 * Signs a request as text that travels in the page: it cannot be changed, lasts for 30 minutes, and only the browser
 * with the cookie `browser` can send it. It is not secret: all of it was in the address. `now` in milliseconds since
 * 1970.
 */
export function signRequest(request: ConnectRequest, { browser, now }: { browser: string; now: number }): string {
  const content = { ...request, browser: nameOf(browser), until: now + PAGE_LIFE_MS } satisfies z.infer<typeof signed>;
  const body = Buffer.from(JSON.stringify(content)).toString("base64url");
  const [key] = derivedKeys(PURPOSE);
  if (!key) throw new Error("there is no encryption key");
  return `${body}.${signature(body, key).toString("base64url")}`;
}

export type OpenedRequest =
  | { kind: "open"; request: ConnectRequest }
  /** The signature is ours, but its 30 minutes are over or another browser sent it. */
  | { kind: "stale"; request: ConnectRequest }
  | { kind: "broken" };

/** Opens a text from `signRequest`; `browser` is the cookie that came with it. */
export function openRequest(text: string, { browser, now }: { browser: string | null; now: number }): OpenedRequest {
  const [body = "", sent = "", ...rest] = text.split(".");
  const mac = Buffer.from(sent, "base64url");
  const isOurs = derivedKeys(PURPOSE).some((key) => equal(signature(body, key), mac));
  if (!isOurs || rest.length > 0) return { kind: "broken" };
  const content = signed.parse(JSON.parse(Buffer.from(body, "base64url").toString("utf8")));
  const { browser: owner, until, ...request } = content;
  const isTheirs = browser !== null && equal(Buffer.from(nameOf(browser)), Buffer.from(owner));
  return { kind: isTheirs && now < until ? "open" : "stale", request };
}

function signature(body: string, key: Buffer): Buffer {
  return createHmac("sha256", key).update(body).digest();
}

function nameOf(browser: string): string {
  return digest(browser).toString("base64url");
}

function equal(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
