/** Runs at most `atOnce` pieces of work for one key. The others wait in order of arrival. */
export function keyedSemaphore(atOnce: number) {
  const byKey = new Map<string, { running: number; waiting: (() => void)[] }>();
  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const slots = byKey.get(key) ?? { running: 0, waiting: [] };
    byKey.set(key, slots);
    // A finished slot is handed to the next in line, so `running` stays the same.
    if (slots.running >= atOnce) await new Promise<void>((mine) => slots.waiting.push(mine));
    else slots.running += 1;
    try {
      return await work();
    } finally {
      const next = slots.waiting.shift();
      if (next) next();
      else slots.running -= 1;
      if (slots.running === 0) byKey.delete(key);
    }
  };
}
