/** Runs at most `atOnce` pieces of work for one key. The others wait in order of arrival. */
export function keyedSemaphore(atOnce: number) {
  const lanes = new Map<string, { running: number; waiting: (() => void)[] }>();
  return async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const lane = lanes.get(name) ?? { running: 0, waiting: [] };
    lanes.set(name, lane);
    // A finished slot is handed to the next in line, so `running` stays the same.
    if (lane.running >= atOnce) await new Promise<void>((mine) => lane.waiting.push(mine));
    else lane.running += 1;
    try {
      return await work();
    } finally {
      const next = lane.waiting.shift();
      if (next) next();
      else lane.running -= 1;
      if (lane.running === 0) lanes.delete(name);
    }
  };
}
