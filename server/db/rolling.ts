import { earlierMigrations } from "@/server/db/earlier-migrations";

/** What a migration says of an upgrade in which processes of the previous version still run. */
export interface Rolling {
  /** The previous version keeps running, and may start again. */
  isSafe: boolean;
  why: string;
}

const LINE = /^-- rolling: (safe|stop-first): (\S.*)/;

/** Read from the first line of the migration, or of an early one from the table of those. Undefined: it says nothing. */
export function rollingOf(name: string, script: string): Rolling | undefined {
  const [, mark, why] = LINE.exec(script) ?? LINE.exec(`-- rolling: ${earlierMigrations[name]}`) ?? [];
  return mark && why ? { isSafe: mark === "safe", why } : undefined;
}
