import { Cron } from "croner";

/**
 * Returns the first tick of a cron after an instant, both in milliseconds since 1970. Null: it never ticks again, or
 * does not have five fields.
 */
export function nextTick(cron: string, after: number): number | null {
  try {
    const tick = new Cron(cron, { timezone: "UTC", mode: "5-part", paused: true }).nextRun(new Date(after));
    return tick?.getTime() ?? null;
  } catch {
    return null;
  }
}
