import type { Socket } from "node:net";
import { clock } from "@/server/clock";
import type { EgressTarget } from "@/server/egress/target";

const IDLE_MS = 2000;
const IDLE_PER_ORIGIN = 5;
const IDLE_IN_ALL = 256;

/** Validity of the check of a socket's address. After that the name is resolved again. */
const CHECKED_MS = 5000;

export interface Line {
  socket: Socket;
  /** The address that was checked and connected to. */
  address: string;
  /** `clock().monotonic()` when its name was resolved. */
  checkedAt: number;
}

const idle = new Map<string, Line[]>();
let idleInAll = 0;

/**
 * Takes an idle connection to an origin, or undefined. It stays connected to the checked address, whatever the name
 * resolves to by now, so that rebinding cannot move it; its age is bounded so that a host that moves is followed.
 */
export function takeLine(target: EgressTarget): Line | undefined {
  const place = placeOf(target);
  const line = idle.get(place)?.at(-1);
  if (!line) return undefined;
  drop(place, line);
  if (clock().monotonic() - line.checkedAt < CHECKED_MS && !line.socket.destroyed) return line;
  line.socket.destroy();
  return takeLine(target);
}

/** Keeps a finished connection for the origin's next request, or closes it if there are enough. */
export function keepLine(target: EgressTarget, line: Line): void {
  const { socket } = line;
  const place = placeOf(target);
  const lines = idle.get(place) ?? [];
  const spent = clock().monotonic() - line.checkedAt >= CHECKED_MS;
  if (spent || socket.destroyed || lines.length >= IDLE_PER_ORIGIN || idleInAll >= IDLE_IN_ALL) {
    socket.destroy();
    return;
  }
  lines.push(line);
  idle.set(place, lines);
  idleInAll += 1;
  const end = () => {
    drop(place, line);
    socket.destroy();
  };
  ends.set(line, end);
  // Unexpected bytes would be read as the next request's response.
  for (const event of idleEnds) socket.once(event, end);
  socket.setTimeout(IDLE_MS);
  socket.resume();
  socket.unref();
}

/** Closes the idle connections. Those in use close after their requests. */
export function closeEgress(): void {
  for (const lines of [...idle.values()]) for (const line of [...lines]) ends.get(line)?.();
}

const idleEnds = ["data", "end", "close", "timeout"] as const;
const ends = new WeakMap<Line, () => void>();

/**
 * Builds the pool's key, so that a connection to a private address of an allowed origin serves no request without that
 * allowance.
 */
function placeOf({ trusted, origin }: EgressTarget): string {
  return `${trusted ? "allowed" : "public"} ${origin}`;
}

function drop(place: string, line: Line): void {
  const lines = idle.get(place);
  const end = ends.get(line);
  if (!lines?.includes(line) || !end) return;
  lines.splice(lines.indexOf(line), 1);
  if (lines.length === 0) idle.delete(place);
  idleInAll -= 1;
  ends.delete(line);
  for (const event of idleEnds) line.socket.off(event, end);
  line.socket.setTimeout(0);
  line.socket.ref();
}
