import * as z from "zod";
import { parsedUrl } from "@/server/domain/net/parsed-url";
import { type Range, rangeOf } from "@/server/domain/net/ranges";
import { percentDecoded } from "@/server/domain/text";

const KEY_BYTES = 32;
const HIGHEST_PORT = 65_535;

/** A variable's text, unchanged. */
export const text = z.string();

/** The range and the default of a number. */
export interface Limits {
  least: number;
  most: number;
  byDefault: number;
}

export interface EncryptionKey {
  kid: string;
  key: Buffer;
}

/** Reads an integer within limits; the default when there is no value. */
export function whole({ least, most, byDefault }: Limits) {
  return between(least, most).default(byDefault);
}

export function port() {
  return between(0, HIGHEST_PORT);
}

export function host(byDefault: string) {
  return text.regex(/^[\w.:-]+$/, "must be a host name or an IP address").default(byDefault);
}

/** Reads a part of a whole: a number from 0 to 1. */
export function share() {
  return text.regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, "must be a number from 0 to 1, such as 0.1").transform(Number);
}

function between(least: number, most: number) {
  const sentence = `must be a whole number from ${least} to ${most}`;
  return text
    .regex(/^\d{1,9}$/, sentence)
    .transform(Number)
    .refine((number) => number >= least && number <= most, sentence);
}

export function origin(...schemes: string[]) {
  return text
    .refine((value) => {
      const url = parsedUrl(value);
      return url && hasScheme(url, schemes) && !url.username && !url.password && /^[^/]+:\/\/[^/?#\\]+\/?$/.test(value);
    }, "must be an http or https URL without a path, query or credentials")
    .transform((value) => new URL(value).origin);
}

/** Reads a URL like `origin`, but for a service that may live under a path. */
export function entryPoint(...schemes: string[]) {
  return text
    .refine((value) => {
      const url = parsedUrl(value);
      return url && hasScheme(url, schemes) && !url.username && !url.password && !/[?#\\]/.test(value);
    }, "must be an http or https URL without a query or credentials")
    .transform((value) => {
      const { origin: own, pathname } = new URL(value);
      return pathname === "/" ? own : own + pathname;
    });
}

export function address(...schemes: string[]) {
  return text.refine(
    (value) => {
      const url = parsedUrl(value);
      return url !== null && hasScheme(url, schemes);
    },
    `must be a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
  );
}

/** Reads a URL like `address`, whose user and password are decoded. */
export function account(...schemes: string[]) {
  return address(...schemes).refine((value) => {
    const { username = "", password = "" } = parsedUrl(value) ?? {};
    return percentDecoded(username) !== null && percentDecoded(password) !== null;
  }, "must have %25 in place of a % in its user or password");
}

export function exactOrigin() {
  return text.refine((value) => {
    const url = parsedUrl(value);
    return url !== null && hasScheme(url, ["http", "https"]) && url.origin === value;
  }, "must be an exact origin such as http://127.0.0.1:9999");
}

export function addressRange() {
  return text.transform((value, context): Range => {
    const range = rangeOf(value);
    if (range) return range;
    context.addIssue({ code: "custom", message: "must be an IP address or a range such as 10.0.0.0/8" });
    return z.NEVER;
  });
}

export function listOf(list: string): string[] {
  return list
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

export function encryptionKeys() {
  const key = text
    .regex(
      /^[a-z0-9]{1,16}:[A-Za-z0-9+/]+={0,2}$/,
      `must be a key id (1 to 16 characters of a-z and 0-9), a colon, and ${KEY_BYTES} bytes in base64`,
    )
    .transform((item): EncryptionKey => {
      const [kid = "", encoded = ""] = item.split(":");
      return { kid, key: Buffer.from(encoded, "base64") };
    })
    .refine(({ key }) => key.length === KEY_BYTES, `must contain ${KEY_BYTES} bytes in base64`);
  return z.array(key).refine((keys) => isUnique(keys.map(({ kid }) => kid)), "must not contain the same key id twice");
}

export function jsonOf(value: string, context: z.core.$RefinementCtx<string>): unknown {
  try {
    return JSON.parse(value);
  } catch {
    context.addIssue({ code: "custom", message: "must be JSON" });
    return z.NEVER;
  }
}

export function isUnique(values: string[]): boolean {
  return new Set(values).size === values.length;
}

function hasScheme(url: URL, schemes: string[]): boolean {
  return schemes.includes(url.protocol.slice(0, -1));
}
