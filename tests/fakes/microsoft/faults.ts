import { type KnownError, knownErrors, type WireResponse } from "./errors";
import { decodedPath } from "./request";

export interface FaultInput {
  method?: string;
  /** Matched against the decoded path without the query; parts of a batch have paths of their own. */
  path?: RegExp;
  /** Matched against the query. */
  query?: Record<string, string | RegExp>;
  /** How many requests it meets; 1 if omitted. */
  times?: number;
  /** How many matching requests pass unharmed first. */
  after?: number;
  /** The error by its name, or a whole response. */
  respond?: KnownError | WireResponse;
  /** Seconds or a date in the header Retry-After. */
  retryAfter?: number | string;
  /** Closes the connection without a response. */
  breakConnection?: boolean;
  /** The work is done before the fault. */
  afterWork?: boolean;
  /** Milliseconds before the response. */
  delay?: number;
  /** Runs before the work: what others change between two pages or between a read and a write. */
  run?: () => void;
  /** The work waits for it, and the request counts as one of the mailbox's four meanwhile. */
  until?: Promise<unknown>;
}

export interface Faults {
  /** Plans a fault for the next matching request, or the next `times`. Faults are used in the order of their planning. */
  next(fault: FaultInput): void;
  /** Forgets the faults that no request has met. */
  clear(): void;
  /** How many planned faults no request has met yet. */
  left(): number;
}

interface Planned {
  fault: FaultInput;
  pass: number;
  left: number;
}

export interface FaultQueue extends Faults {
  take(method: string, url: URL): FaultInput | undefined;
}

/** Planned faults, of which a request takes the first that matches. */
export function faultQueue(): FaultQueue {
  const planned: Planned[] = [];
  return {
    next(fault) {
      planned.push({ fault, pass: fault.after ?? 0, left: fault.times ?? 1 });
    },
    clear() {
      planned.length = 0;
    },
    left: () => planned.reduce((sum, { left }) => sum + left, 0),
    take(method, url) {
      const match = planned.find(({ fault, left }) => left > 0 && meets(fault, method, url));
      if (!match) return undefined;
      if (match.pass > 0) {
        match.pass -= 1;
        return undefined;
      }
      match.left -= 1;
      return match.fault;
    },
  };
}

/** The response of a fault; undefined when it only delays or breaks the connection. */
export function faultResponse({ respond, retryAfter }: FaultInput): WireResponse | undefined {
  if (respond === undefined) return undefined;
  const response = typeof respond === "string" ? knownErrors[respond]().response : respond;
  if (retryAfter === undefined) return response;
  return { ...response, headers: { ...response.headers, "retry-after": String(retryAfter) } };
}

function meets(fault: FaultInput, method: string, url: URL): boolean {
  if (fault.method !== undefined && fault.method !== method) return false;
  if (fault.path !== undefined && !fault.path.test(decodedPath(url))) return false;
  return Object.entries(fault.query ?? {}).every(([name, value]) => {
    const given = url.searchParams.get(name);
    return given !== null && (typeof value === "string" ? given === value : value.test(given));
  });
}
