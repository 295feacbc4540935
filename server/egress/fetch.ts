import type { Taker } from "@/server/egress/exchange";
import { EgressFailure } from "@/server/egress/failure";
import { type Outcome, type Outside, send } from "@/server/egress/send";

export interface FetchLimits {
  /** Origins that the operator configured: they may use http, any port and private addresses. */
  trustedOrigins: readonly string[];
  /** Milliseconds for everything, from name resolution to the last byte of the response. */
  deadlineMs: number;
  /** The most bytes of a response. */
  mostBytes: number;
}

export interface FetchInit {
  method: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  body?: string;
  /** A different limit of bytes for this response. */
  mostBytes?: number;
  /** Returns the consumer of a response body by status. The returned body is then empty. */
  takerOf?: (status: number) => Taker | null;
  /** Ends the request as if its deadline had passed. */
  signal?: AbortSignal;
}

export type EgressFetch = (url: string, init: FetchInit) => Promise<Response>;

/** Returns a `fetch` whose requests end with a signal. */
export function endedBy(fetch: EgressFetch, signal: AbortSignal | undefined): EgressFetch {
  return signal ? (url, init) => fetch(url, { ...init, signal }) : fetch;
}

/** Thrown for a response with more bytes than the limit, because part of one is useless. */
export class AnswerTooLong extends Error {
  override name = "AnswerTooLong";
}

/**
 * Creates a `fetch` that sends through `send` only, so that every host but the trusted origins is judged like a
 * stranger's. Redirects are not followed. Returns complete responses: throws `EgressFailure` for none or a broken one,
 * `AnswerTooLong` past the limit.
 */
export function egressFetch(limits: FetchLimits, outside: Outside = {}): EgressFetch {
  const { trustedOrigins, deadlineMs } = limits;
  return async (url, { mostBytes = limits.mostBytes, ...init }) => {
    const bytes = { readBytes: mostBytes + 1, keepBytes: mostBytes + 1 };
    const outcome = await send({ ...init, ...bytes, url, deadlineMs, allowedOrigins: trustedOrigins }, outside);
    if (outcome.kind === "failed") throw new EgressFailure(outcome.errorClass, outcome.address);
    checkWhole(outcome, init.method, { ...limits, mostBytes });
    const { status, body } = outcome;
    return new Response(bodiless.has(status) ? null : new Uint8Array(body), { status, headers: headersOf(outcome) });
  };
}

type Answered = Extract<Outcome, { kind: "answered" }>;

const bodiless = new Set([204, 205, 304]);

/** Checks that a body is complete, because `send` also returns part of one. The parser notices a broken chunked one. */
function checkWhole({ bytes, headers, isCutOff, address }: Answered, method: string, limits: FetchLimits): void {
  if (bytes > limits.mostBytes) throw new AnswerTooLong("the response is too large");
  if (isCutOff) throw new EgressFailure("timeout", address);
  const promised = method === "HEAD" ? 0 : Number(headers["content-length"] ?? 0);
  if (bytes < promised) throw new EgressFailure("reset", address);
}

function headersOf({ headers }: Answered): Headers {
  const given = new Headers();
  for (const [name, values] of Object.entries(headers)) {
    for (const value of [values].flat()) given.append(name, value);
  }
  return given;
}
