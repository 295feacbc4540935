import { firstTick } from "@/server/jobs/executor/cron";
import type { Plan } from "@/server/jobs/executor/plan";

type Fields = Record<string, unknown>;

const DEFAULT_RETRIES = 4;
const MOST_RETRIES = 20;
/** Nobody can cancel a run here, so it is never sent. */
const CANCELLED = "inngest/function.cancelled";

/** Reads the configuration of all functions. Throws, naming the function and the feature, for what the executor does not do. */
export function readPlans(configuration: unknown[]): Plan[] {
  return configuration.map((given) => {
    const { id, name: _, triggers, steps, ...others } = given as Fields;
    const refuse: Refuse = (feature) => {
      throw new Error(`the function ${String(id)} uses ${feature}, which the embedded executor does not have`);
    };
    for (const [key, value] of Object.entries(others)) if (value !== undefined && value !== null) refuse(key);
    return { id: String(id), maxAttempts: readMaxAttempts(steps, refuse), ...readTriggers(triggers, refuse) };
  });
}

type Refuse = (feature: string) => never;

function readMaxAttempts(steps: unknown, refuse: Refuse): number {
  const all = Object.entries((steps ?? {}) as Fields);
  const [[id, step] = []] = all;
  if (all.length !== 1 || id !== "step") return refuse("steps of its own");
  const { retries } = step as { retries?: { attempts?: unknown } };
  const attempts = retries?.attempts ?? DEFAULT_RETRIES;
  const isCount =
    typeof attempts === "number" && Number.isInteger(attempts) && attempts >= 0 && attempts <= MOST_RETRIES;
  return isCount ? attempts + 1 : refuse(`retries of ${String(attempts)}`);
}

function readTriggers(triggers: unknown, refuse: Refuse): { events: string[]; crons: string[] } {
  const all = (Array.isArray(triggers) ? triggers : []) as Fields[];
  if (all.length === 0) return refuse("no trigger (it could only be invoked)");
  const crons = all.filter(({ cron }) => cron !== undefined);
  const events = all.filter(({ cron }) => cron === undefined);
  return {
    events: events.map((trigger) => readEventTrigger(trigger, refuse)),
    crons: crons.map((trigger) => readCronTrigger(trigger, refuse)),
  };
}

function readEventTrigger({ event, expression, ...others }: Fields, refuse: Refuse): string {
  const name = String(event);
  if (name === "inngest/function.failed") return refuse("onFailure");
  if (name.startsWith("inngest/") && name !== CANCELLED) return refuse(`the trigger ${name}`);
  if (name.includes("*")) return refuse(`the trigger ${name} (an event by a pattern)`);
  if (expression) return refuse("a trigger with an if expression");
  return refuseOthers("a trigger with", others, refuse) ?? name;
}

function readCronTrigger({ cron, ...others }: Fields, refuse: Refuse): string {
  const expression = String(cron);
  if (firstTick(expression) === null)
    return refuse(`the cron "${expression}" (five fields, in UTC, that come to pass)`);
  return refuseOthers("a cron trigger with", others, refuse) ?? expression;
}

function refuseOthers(feature: string, others: Fields, refuse: Refuse): undefined {
  const [unknown] = Object.entries(others).filter(([, value]) => value !== undefined && value !== null);
  return unknown ? refuse(`${feature} ${unknown[0]}`) : undefined;
}
