import type { AlertKind, AlertState, Facts } from "@/server/domain/alerts/alerts";

/** The content of a message: only what each of its recipients may read. */
export interface AlertBody {
  /** Null: a test. */
  kind: AlertKind | null;
  state: AlertState;
  /** How many there are, including those named in `items`. */
  count: number;
  items: { facts: Facts; since: number }[];
}

/** How many items a message names; it also says how many there are. */
export const MOST_NAMED = 20;

export const testBody: AlertBody = { kind: null, state: "test", count: 0, items: [] };
