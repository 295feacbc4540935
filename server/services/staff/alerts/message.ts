import type { AlertKind, AlertState, Facts } from "@/server/domain/alerts/alerts";

/** What a message is about: only what may be read by everybody who gets it. */
export interface AlertBody {
  /** Null: a test. */
  kind: AlertKind | null;
  state: AlertState;
  /** Of those that are named in `items`, and others. */
  count: number;
  items: { facts: Facts; since: number }[];
}

/** A message names so many, and says how many there are. */
export const MOST_NAMED = 20;

export const testBody: AlertBody = { kind: null, state: "test", count: 0, items: [] };
