/** A source of numbers that look random but are the same in each run, so that screenshots of the demo can be compared. */
export interface Random {
  /** Returns a number from 0 to below 1. */
  next(): number;
  /** Returns an integer from `least` to `most`. */
  between(least: number, most: number): number;
  /** Returns one of the elements. */
  pick<T>(all: readonly [T, ...T[]]): T;
  /** Returns true in `chance` of a hundred cases. */
  percent(chance: number): boolean;
}

/** Creates a Mulberry32 generator. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (all) => all[Math.floor(next() * all.length)] ?? all[0],
    percent: (chance) => next() * 100 < chance,
  };
}
