import type { Inngest, InngestFunction } from "inngest";

/** An event of Inngest. An Inngest server shows it to whoever reaches it, so it carries ids and counts only. */
export interface JobEvent {
  /** Another event with the id of one that is not done yet begins no second run. */
  id?: string;
  name: string;
  data?: Readonly<Record<string, unknown>>;
  /** When it is due, in milliseconds since 1970. Omitted: now. */
  ts?: number;
}

/** What a function does step by step. The ids of a run's steps differ. */
export interface Steps {
  /** Does a step, and again when it fails, as often as the function's `retries`. Its result is JSON. */
  run<T>(id: string, work: () => Promise<T>): Promise<T>;
  /** Waits for a time such as `30s` or `1h30m`. */
  sleep(id: string, time: string): Promise<void>;
}

export interface JobContext {
  event: JobEvent;
  step: Steps;
}

/** The event of a cron's tick. */
export const TICK = "inngest/scheduled.timer";

/** A field of an event's data, as a key of flow control. */
export type EventField = `event.data.${string}`;

/** A function in Inngest's words, whoever runs it: an Inngest server, or the engine of this process. */
export interface JobFunction {
  id: string;
  /** The name on Inngest's pages. */
  name: string;
  /** Crons have five fields, in UTC. */
  triggers: readonly ({ cron: string } | { event: string })[];
  /** One run at a time, or one for each value of the key: an event that comes while it runs is skipped. */
  singleton?: { key?: EventField; mode: "skip" };
  /** The most runs that work at once, in all or for each value of the key. */
  concurrency?: [{ key?: EventField; limit: number }];
  /** How many times a step is tried again, up to 20. */
  retries: 0 | 1 | 3 | 5;
  handler(context: JobContext): Promise<unknown>;
}

/** Declares a function to Inngest's SDK. */
export function declareTo(
  client: Inngest,
  { handler, triggers, concurrency, ...declared }: JobFunction,
): InngestFunction.Any {
  return client.createFunction(
    { ...declared, triggers: [...triggers], ...(concurrency && { concurrency }) },
    (context) => handler(context as unknown as JobContext),
  );
}
