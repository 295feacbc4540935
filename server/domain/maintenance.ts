/** What is switched for maintenance: the service only reads, or the requests of an application are refused (ADR 126). */
export type MaintenanceScope = "service" | "application";

/** The id of the switch of the whole service. Any other is an application's. */
export const SERVICE = "service";

/** A switch that staff have turned on. Times are milliseconds since 1970. */
export interface SwitchedOn {
  since: number;
  /** When it ends by itself. Null: somebody ends it. */
  endsAt: number | null;
}

/** Where nobody said how long it takes. */
export const RETRY_S = 120;
/** Sooner than most who ask would notice, and no longer than they should wait to ask again. */
const LONGEST_RETRY_S = 900;

/** Returns after how many seconds callers should try again. Null: the switch is off. */
export function retryAfterOf(on: SwitchedOn | undefined, now: number): number | null {
  if (!on) return null;
  if (on.endsAt === null) return RETRY_S;
  const left = Math.ceil((on.endsAt - now) / 1_000);
  return left <= 0 ? null : Math.min(left, LONGEST_RETRY_S);
}

const sentences: Record<MaintenanceScope, string> = {
  service: "Almanac is in maintenance: it can be read, and changes are refused. Nothing was changed.",
  application: "The requests of this application are refused for maintenance. Nothing was changed.",
};

/** Builds the body of the 503. */
export function maintenanceBody(scope: MaintenanceScope, retryAfter: number): object {
  return { error: "maintenance", description: `${sentences[scope]} Retry after ${retryAfter} seconds.` };
}
