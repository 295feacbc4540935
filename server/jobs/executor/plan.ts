/** A function as the executor runs it. */
export interface Plan {
  id: string;
  maxAttempts: number;
  events: string[];
  crons: string[];
  /** At most two. */
  limits: { limit: number; key?: KeyPath }[];
  debounce?: { seconds: number; timeoutSeconds: number | null; key?: KeyPath };
}

/** The names below `event.data` that lead to a value: `event.data.account.id` is ["account", "id"]. */
export type KeyPath = string[];
