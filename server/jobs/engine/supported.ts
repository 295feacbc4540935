import { nextTick } from "@/server/jobs/engine/ticks";
import type { JobFunction } from "@/server/jobs/job-function";

const KNOWN = new Set(["id", "name", "triggers", "retries", "singleton", "concurrency", "timeouts", "handler"]);
const MOST_RETRIES = 20;
/** Never sent, because nothing here can cancel a run. */
const CANCELLED = "inngest/function.cancelled";

/** Refuses what a function declares and the engine does not have. Names both in the error. */
export function refuseUnsupported(declared: JobFunction): void {
  const refuse = (feature: string): never => {
    throw new Error(`the function ${declared.id} uses ${feature}, which the embedded engine does not have`);
  };
  for (const [key, value] of Object.entries(declared)) if (!KNOWN.has(key) && value !== undefined) refuse(key);
  const { triggers, retries, singleton, concurrency = [] } = declared;
  const isCount = Number.isInteger(retries) && retries >= 0 && retries <= MOST_RETRIES;
  if (!isCount) refuse(`retries of ${String(retries)}`);
  if (singleton && singleton.mode !== "skip") refuse(`singleton of the mode ${singleton.mode}`);
  if (!Array.isArray(concurrency)) refuse(`a concurrency of ${String(concurrency)} that is no list`);
  for (const { key } of [singleton ?? {}, ...concurrency]) {
    if (key !== undefined && !/^event\.data\.\w+$/.test(key))
      refuse(`the key ${key} (more than a field of event.data)`);
  }
  for (const name of Object.keys(declared.timeouts ?? {})) if (name !== "finish") refuse(`timeouts.${name}`);
  if (triggers.length === 0) refuse("no trigger (it could only be invoked)");
  for (const trigger of triggers) {
    const [kind = "", ...others] = Object.keys(trigger);
    if (others.length > 0) refuse(`a trigger with ${others.join(", ")}`);
    if ("cron" in trigger) refuseCron(trigger.cron, refuse);
    else if ("event" in trigger) refuseEvent(trigger.event, refuse);
    else refuse(`a trigger by ${kind}`);
  }
}

function refuseCron(cron: string, refuse: (feature: string) => never): void {
  if (nextTick(cron, 0) === null) refuse(`the cron "${cron}" (five fields, in UTC, that come to pass)`);
}

function refuseEvent(name: string, refuse: (feature: string) => never): void {
  if (name.includes("*")) refuse(`the trigger ${name} (an event by a pattern)`);
  if (name.startsWith("inngest/") && name !== CANCELLED) refuse(`the trigger ${name}`);
}
