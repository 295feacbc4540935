/** What was set last, so many entries at the most: the oldest are forgotten. */
export interface RecentEntries<Value> {
  has(key: string): boolean;
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

export function recentEntries<Value>(most: number): RecentEntries<Value> {
  const entries = new Map<string, Value>();
  return {
    has: (key) => entries.has(key),
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      const [oldest] = entries.keys();
      if (entries.size > most && oldest !== undefined) entries.delete(oldest);
    },
    delete: (key) => void entries.delete(key),
  };
}
