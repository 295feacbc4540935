import { type Inngest, type InngestFunction, NonRetriableError, RetryAfterError } from "inngest";

/** An event of Inngest. An Inngest server shows it to whoever reaches it, so it carries ids and counts only. */
export interface JobEvent {
  /** Inngest ignores a repeated id for 24 hours, the engine until its run ends. */
  id?: string;
  name: string;
  data?: Readonly<Record<string, unknown>>;
  /** When it is due, in milliseconds since 1970. Omitted: now. */
  ts?: number;
}

/** What a function does step by step. Step ids are unique within a run. */
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
  /** One run at a time, or one for each value of the key: an event that comes while it runs is skipped. The engine keeps one such event. */
  singleton?: { key?: EventField; mode: "skip" };
  /** The most runs that execute a step at once, in all or for each value of the key. The engine counts whole runs. */
  concurrency?: [{ key?: EventField; limit: number }];
  /** How long a run may take in all: after that it is cancelled, and frees its key, so that a worker that hangs does not hold it. */
  timeouts?: { finish: `${number}m` | `${number}s` };
  /** How many times a step is tried again. */
  retries: 0 | 1 | 3 | 5;
  handler(context: JobContext): Promise<unknown>;
}

/** Declares a function to Inngest's SDK. Whoever reaches the server reads why a run failed, so it is told the error's name alone. */
export function declareTo(
  client: Inngest,
  { handler, triggers, concurrency, ...declared }: JobFunction,
): InngestFunction.Any {
  return client.createFunction(
    { ...declared, triggers: [...triggers], ...(concurrency && { concurrency }) },
    ({ event, step }) => handler({ event: event as JobEvent, step: discreet(step as unknown as Steps) }),
  );
}

function discreet(step: Steps): Steps {
  return {
    run: (id, work) =>
      step.run(id, () =>
        work().catch((error: unknown) => {
          if (error instanceof NonRetriableError || error instanceof RetryAfterError) throw error;
          throw Object.assign(new Error(errorName(error)), { stack: undefined });
        }),
      ),
    sleep: (id, time) => step.sleep(id, time),
  };
}

/** Returns an error's name if it is a plain word, as the code's own are: any other may quote something. */
export function errorName(error: unknown): string {
  return error instanceof Error && /^\w{1,60}$/.test(error.name) ? error.name : "Error";
}
