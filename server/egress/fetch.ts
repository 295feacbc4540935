import type { Taker } from "@/server/egress/exchange";
import { EgressFailure } from "@/server/egress/failure";
import { type Outcome, type Outside, send } from "@/server/egress/send";

export interface FetchLimits {
  /** Origins that the operator configured: they may be http, on any port and at private addresses. */
  trustedOrigins: readonly string[];
  /** Milliseconds for everything, from the name to the last byte of the answer. */
  deadlineMs: number;
  /** Bytes that an answer may have. */
  mostBytes: number;
}

export interface FetchInit {
  method: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  body?: string;
  /** Another limit of bytes for this answer. */
  mostBytes?: number;
  /** Who takes the body of an answer of a status while it comes: it is then empty in what is given. */
  takerOf?: (status: number) => Taker | null;
}

export type EgressFetch = (url: string, init: FetchInit) => Promise<Response>;

/** The answer has more bytes than the limit: what was read of it is of no use. */
export class AnswerTooLong extends Error {
  override name = "AnswerTooLong";
}

/**
 * A `fetch` that goes out by `send` only, so that every host but the trusted origins is judged like a stranger's. Redirects
 * come back as they are. Gives whole answers: throws `EgressFailure` for none or a broken one, `AnswerTooLong` past the limit.
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

/** `send` gives what there is of a body that stopped early. A chunked one that the other side broke off is left to its parser. */
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
