import { clock } from "@/server/clock";
import { addressesOf, type Resolve, resolveName } from "@/server/egress/addresses";
import { deadline } from "@/server/egress/deadline";
import { type Dial, dialAddress, openSocket } from "@/server/egress/dial";
import { type Answer, exchange, type Taker } from "@/server/egress/exchange";
import { EgressFailure, type ErrorClass } from "@/server/egress/failure";
import { keepLine, type Line, takeLine } from "@/server/egress/pool";
import { type EgressTarget, targetOf } from "@/server/egress/target";

const READ_BYTES = 64 * 1024;
const KEEP_BYTES = 20 * 1024;

export interface EgressRequest {
  url: string;
  method: string;
  /** Lower-case names; `host` and `accept-encoding` are set here. */
  headers: Record<string, string>;
  body?: string | Buffer;
  /** Milliseconds for everything: name, connection, TLS, headers and body. */
  deadlineMs: number;
  /** Exact origins that an operator allows although they are not public https. */
  allowedOrigins: readonly string[];
  /** Bytes of the response body that are read (64 KiB) and returned (20 KiB). */
  readBytes?: number;
  keepBytes?: number;
  /** Returns the consumer of a response body by status, instead of keeping it. The deadline pauses while it is busy. */
  takerOf?: (status: number) => Taker | null;
  /** Ends the request as if its deadline had passed. */
  signal?: AbortSignal;
}

export type Outcome =
  /** `isCutOff`: the deadline passed during the body. */
  | ({ kind: "answered"; address: string; durationMs: number; isCutOff: boolean } & Answer)
  | { kind: "failed"; errorClass: ErrorClass; address: string | null; durationMs: number };

/** The world outside the process, which tests replace. */
export interface Outside {
  resolve?: Resolve;
  dial?: Dial;
  /** Certificate authorities to trust instead of the machine's, PEM. */
  ca?: string;
}

/**
 * Sends one request to a URL that a stranger chose: the service has no other way to do so. Returns the response
 * unchanged (redirects are not followed, the body is not decompressed) or the class of the failure, and never throws
 * for what a URL or a receiver does. Not one byte goes to an address that is not public, unless its origin is allowed
 * (ADR 14).
 */
export async function send(request: EgressRequest, outside: Outside = {}): Promise<Outcome> {
  const started = clock().monotonic();
  const cut = new AbortController();
  const stop = () => cut.abort();
  let heldMs = 0;
  const elapsed = () => clock().monotonic() - started - heldMs;
  const timed = (ms: number) => deadline(ms, () => cut.abort());
  let timer = timed(request.deadlineMs);
  const hold = () => {
    const left = timer.left();
    timer.cancel();
    const since = clock().monotonic();
    return () => {
      heldMs += clock().monotonic() - since;
      timer = timed(left);
      if (isOver) timer.cancel();
    };
  };
  let isOver = false;
  request.signal?.addEventListener("abort", stop, { once: true });
  try {
    if (request.signal?.aborted) throw new EgressFailure("timeout", null);
    const target = targetOf(request.url, request.allowedOrigins);
    const { answer, address } = await attempt({
      request,
      target,
      outside,
      left: () => timer.left(),
      hold,
      signal: cut.signal,
    });
    return { kind: "answered", ...answer, address, durationMs: elapsed(), isCutOff: cut.signal.aborted };
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
    const { errorClass, address } = error;
    return { kind: "failed", errorClass, address, durationMs: elapsed() };
  } finally {
    isOver = true;
    timer.cancel();
    request.signal?.removeEventListener("abort", stop);
  }
}

interface Attempt {
  request: EgressRequest;
  target: EgressTarget;
  outside: Outside;
  left: () => number;
  hold: () => () => void;
  signal: AbortSignal;
}

async function attempt(given: Attempt): Promise<{ answer: Answer; address: string }> {
  const kept = takeLine(given.target);
  if (!kept) return carry(given, await newLine(given));
  try {
    return await carry(given, kept);
  } catch (error) {
    // The receiver may have closed a kept connection just as it was used: retry once on a new one.
    if (error instanceof EgressFailure && error.errorClass === "reset") return carry(given, await newLine(given));
    throw error;
  }
}

async function newLine({ target, outside, left, signal }: Attempt): Promise<Line> {
  const checkedAt = clock().monotonic();
  const addresses = await addressesOf(target, outside.resolve ?? resolveName, signal);
  const dial = outside.dial ?? dialAddress;
  return { checkedAt, ...(await openSocket({ target, addresses, dial, ca: outside.ca, left, signal })) };
}

async function carry(
  { request, target, hold, signal }: Attempt,
  line: Line,
): Promise<{ answer: Answer; address: string }> {
  const { socket, address } = line;
  const answer = await exchange({
    socket,
    address,
    method: request.method,
    path: target.path,
    headers: Object.assign({}, request.headers, { host: target.authority, "accept-encoding": "identity" }),
    body: request.body,
    readBytes: request.readBytes ?? READ_BYTES,
    keepBytes: request.keepBytes ?? KEEP_BYTES,
    takerOf: request.takerOf,
    signal,
    hold,
    onFree: () => keepLine(target, line),
  });
  return { answer, address };
}
