import { clock } from "@/server/clock";
import { parsedUrl } from "@/server/domain/net/parsed-url";
import { EgressFailure } from "@/server/egress/failure";
import { AnswerTooLong, type EgressFetch } from "@/server/egress/fetch";
import { mayFollow } from "@/server/providers/caldav/site";
import { ProviderError } from "@/server/providers/connector";

export interface Asked {
  method: "PROPFIND" | "REPORT" | "GET" | "PUT" | "DELETE";
  url: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Answered {
  /** `TOO_LONG` for an answer past the limit of bytes. */
  status: number;
  headers: Headers;
  text: string;
  /** Where it came from, after all hops: what the hrefs in it are relative to. */
  url: string;
}

export interface Door {
  fetch: EgressFetch;
  /** The origins that the operator configured. */
  origins: readonly string[];
  /** Sites whose hosts are one owner's. */
  sites?: readonly string[];
}

/** The status of an answer that was not read to its end. */
export const TOO_LONG = 0;

const MOST_HOPS = 3;
const LONGEST_WAIT_MS = 24 * 3_600_000;
const redirects = new Set([301, 302, 307, 308]);
const outages = new Set([408, 502, 503, 504]);

/**
 * One request with the account's password, led to other hosts at most three times. Gives the answer whatever its status, but
 * throws `signed_out` for 401 (at once: that it is meant so is confirmed by sync, which asks again after a while), `throttled`
 * for 429 and for 503 with Retry-After, and `down` for no answer, an outage, or a lead to a host that must not have the password.
 */
export async function ask(door: Door, login: { username: string; password: string }, asked: Asked): Promise<Answered> {
  const headers = { "user-agent": "Almanac", ...asked.headers, authorization: basic(login) };
  let url = asked.url;
  for (let hops = 0; hops <= MOST_HOPS; hops += 1) {
    if (!mayFollow(new URL(url), door.origins, door.sites)) throw down("led_elsewhere");
    const answer = await answerOf(door, { ...asked, url, headers });
    const to = answer.headers.get("location");
    if (!redirects.has(answer.status) || to === null) return usable(answer);
    const next = parsedUrl(to, url);
    if (!next) throw down("led_nowhere");
    url = next.href;
  }
  throw down("too_many_hops");
}

export function down(detail: string): ProviderError {
  return new ProviderError({ kind: "down" }, detail);
}

function basic({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

async function answerOf({ fetch }: Door, { url, ...init }: Asked & { headers: Record<string, string> }) {
  try {
    const response = await fetch(url, init);
    return { status: response.status, headers: response.headers, text: await response.text(), url };
  } catch (error) {
    if (error instanceof AnswerTooLong) return { status: TOO_LONG, headers: new Headers(), text: "", url };
    if (error instanceof EgressFailure) throw down(error.errorClass);
    throw error;
  }
}

function usable(answer: Answered): Answered {
  const { status, headers } = answer;
  if (status === 401) throw new ProviderError({ kind: "signed_out" }, "http_401");
  const after = waitOf(headers.get("retry-after"));
  if (status === 429 || (status === 503 && after !== null)) {
    throw new ProviderError({ kind: "throttled", after }, `http_${status}`);
  }
  if (outages.has(status)) throw down(`http_${status}`);
  return answer;
}

/** Retry-After is seconds or a date (RFC 9110 §10.2.3). */
function waitOf(text: string | null): number | null {
  if (text === null) return null;
  const wait = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - clock().now();
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), LONGEST_WAIT_MS);
}
