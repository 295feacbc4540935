/** Lets at most `atOnce` pieces of work run for one name; the others wait in the order in which they came. */
export function keyedSemaphore(atOnce: number) {
  const lanes = new Map<string, { running: number; waiting: (() => void)[] }>();
  return async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const lane = lanes.get(name) ?? { running: 0, waiting: [] };
    lanes.set(name, lane);
    // A turn that ends is handed on, so `running` stays as it is.
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
