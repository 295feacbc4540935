import { clock } from "@/server/clock";

/** Timers cannot wait longer than 24 days, and the clock of a machine may be set in the meantime. */
const LONGEST_TIMER_MS = 60_000;

/** Calls at their times, by the service's clock. */
export interface Agenda {
  add(at: number, call: () => void): void;
  /** Makes all calls that are due now. Returns false when there were none. */
  ring(): boolean;
  /** Makes them by a timer from now on. */
  start(): void;
  stop(): void;
}

/** Opens an empty agenda. */
export function openAgenda(): Agenda {
  let entries: { at: number; call: () => void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isStarted = false;

  const arm = () => {
    clearTimeout(timer);
    if (!isStarted || entries.length === 0) return;
    const first = Math.min(...entries.map(({ at }) => at));
    timer = setTimeout(ring, Math.min(Math.max(first - clock().now(), 0), LONGEST_TIMER_MS)).unref();
  };
  const ring = (): boolean => {
    const now = clock().now();
    const due = entries.filter(({ at }) => at <= now).sort((one, other) => one.at - other.at);
    entries = entries.filter(({ at }) => at > now);
    for (const { call } of due) call();
    arm();
    return due.length > 0;
  };
  return {
    add(at, call) {
      entries.push({ at, call });
      arm();
    },
    ring,
    start() {
      isStarted = true;
      arm();
    },
    stop() {
      isStarted = false;
      clearTimeout(timer);
    },
  };
}
