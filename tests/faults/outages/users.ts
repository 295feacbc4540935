import { passed } from "@/tests/rig/until";

const EVERY_MS = 250;
const CHANGE_EVERY_MS = 1_000;
const PATIENCE_MS = 20_000;

/** A request as its user saw it. Status 0: no response came. */
export interface SeenResponse {
  at: number;
  ms: number;
  what: "read" | "write" | "change";
  status: number;
  retryAfter: string | null;
  eventId?: string;
}

export interface Users {
  seen: readonly SeenResponse[];
  end(): Promise<void>;
}

export interface Whom {
  origin: string;
  token: string;
  calendarId: string;
  /** Another person changes the calendar in the sandbox, too. */
  hasSandbox: boolean;
}

/** Reads and writes a calendar by the API four times a second each, as users of an application do, until it is ended. */
export function startUsers({ origin, token, calendarId, hasSandbox }: Whom): Users {
  const seen: SeenResponse[] = [];
  let isOver = false;
  const send = async (what: SeenResponse["what"], path: string, body?: object, eventId?: string) => {
    const at = Date.now();
    const method = body === undefined ? "GET" : "POST";
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(origin + path, {
      ...{ method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(PATIENCE_MS) },
    }).catch(() => null);
    await response?.arrayBuffer().catch(() => undefined);
    const [status, retryAfter] = [response?.status ?? 0, response?.headers.get("retry-after") ?? null];
    seen.push({ at, ms: Date.now() - at, what, status, retryAfter, eventId });
  };
  const repeat = async (every: number, act: (i: number) => Promise<void>) => {
    for (let i = 0; !isOver; i++) {
      await act(i);
      await passed(every);
    }
  };
  const events = `/v1/calendars/${calendarId}/events`;
  const running = [
    repeat(EVERY_MS, () => send("read", "/v1/events?tzid=Etc/UTC&include_managed=true")),
    repeat(EVERY_MS, (i) => send("write", events, { ...eventOf(i), event_id: `e${i}` }, `e${i}`)),
    ...(hasSandbox
      ? [repeat(CHANGE_EVERY_MS, (i) => send("change", "/v1/sandbox/changes", changeOf(calendarId, i)))]
      : []),
  ];
  return {
    seen,
    end: async () => {
      isOver = true;
      await Promise.all(running);
    },
  };
}

const DAY_MS = 86_400_000;

function eventOf(i: number) {
  const day = new Date(Date.now() + (1 + (i % 60)) * DAY_MS).toISOString().slice(0, 10);
  return { summary: `Still there ${i}`, start: `${day}T10:00:00Z`, end: `${day}T11:00:00Z` };
}

function changeOf(calendar_id: string, i: number) {
  const { summary, start, end } = eventOf(i);
  return { type: "event_created", calendar_id, event: { summary, start, end } };
}

/** Says what users saw, such as "503 with Retry-After 5 (240), 200 (3)", the most frequent first. */
export function sentenceOf(seen: readonly SeenResponse[]): string {
  const counts = new Map<string, number>();
  for (const { status, retryAfter } of seen) {
    const name = `${status === 0 ? "no response" : status}${retryAfter === null ? "" : ` with Retry-After ${retryAfter}`}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, n]) => `${name} (${n})`)
    .join(", ");
}
