import { firstTick } from "@/server/jobs/executor/cron";
import type { KeyPath, Plan } from "@/server/jobs/executor/plan";
import { readSeconds } from "@/server/jobs/executor/wait";

type Fields = Record<string, unknown>;

const DEFAULT_RETRIES = 4;
const MOST_RETRIES = 20;
const MOST_LIMITS = 2;
const SHORTEST_DEBOUNCE_S = 1;

/** Reads the configuration of all functions. Throws, naming the function and the feature, for what the executor does not do. */
export function readPlans(configuration: unknown[]): Plan[] {
  return configuration.map((given) => {
    const { id, name: _, triggers, steps, concurrency, debounce, ...others } = given as Fields;
    const refuse: Refuse = (feature) => {
      throw new Error(`the function ${String(id)} uses ${feature}, which the embedded executor does not have`);
    };
    for (const [key, value] of Object.entries(others)) if (value !== undefined && value !== null) refuse(key);
    return {
      id: String(id),
      maxAttempts: readMaxAttempts(steps, refuse),
      ...readTriggers(triggers, refuse),
      limits: readLimits(concurrency, refuse),
      ...(debounce !== undefined && debounce !== null && { debounce: readDebounce(debounce, refuse) }),
    };
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
  if (name.startsWith("inngest/")) return refuse(`the trigger ${name}`);
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

function readLimits(concurrency: unknown, refuse: Refuse): Plan["limits"] {
  if (concurrency === undefined || concurrency === null) return [];
  const all = Array.isArray(concurrency) ? concurrency : [concurrency];
  if (all.length > MOST_LIMITS) return refuse(`more than ${MOST_LIMITS} concurrency limits`);
  return all.map((given) => {
    const { limit, key, scope, ...others } = (typeof given === "number" ? { limit: given } : given) as Fields;
    if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1)
      return refuse(`concurrency of ${String(limit)}`);
    if (scope !== undefined && scope !== "fn") return refuse(`concurrency with the scope ${String(scope)}`);
    refuseOthers("concurrency with", others, refuse);
    return { limit, ...readKey("concurrency", key, refuse) };
  });
}

function readDebounce(given: unknown, refuse: Refuse): NonNullable<Plan["debounce"]> {
  const { period, timeout, key, ...others } = given as Fields;
  refuseOthers("debounce with", others, refuse);
  const seconds = readSeconds(String(period));
  if (seconds === null || seconds < SHORTEST_DEBOUNCE_S) return refuse(`debounce with a period of ${String(period)}`);
  const timeoutSeconds = timeout === undefined ? null : readSeconds(String(timeout));
  if (timeout !== undefined && timeoutSeconds === null) return refuse(`debounce with a timeout of ${String(timeout)}`);
  return { seconds, timeoutSeconds, ...readKey("debounce", key, refuse) };
}

function readKey(feature: string, key: unknown, refuse: Refuse): { key?: KeyPath } {
  if (key === undefined || key === null) return {};
  const [, path] = /^event\.data\.(\w+(?:\.\w+)*)$/.exec(String(key)) ?? [];
  return path === undefined ? refuse(`${feature} with the key expression ${String(key)}`) : { key: path.split(".") };
}

function refuseOthers(feature: string, others: Fields, refuse: Refuse): undefined {
  const [unknown] = Object.entries(others).filter(([, value]) => value !== undefined && value !== null);
  return unknown ? refuse(`${feature} ${unknown[0]}`) : undefined;
}
