/** The keys that were added last, so many at the most. */
export interface RecentKeys {
  add(key: string): void;
  has(key: string): boolean;
}

export function recentKeys(most: number): RecentKeys {
  const keys = new Set<string>();
  return {
    add(key) {
      keys.delete(key);
      keys.add(key);
      const [oldest] = keys;
      if (keys.size > most && oldest !== undefined) keys.delete(oldest);
    },
    has: (key) => keys.has(key),
  };
}
