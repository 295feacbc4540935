/** Work that pauses now and then: the caller decides whether other work goes first. */
export type Pieces<Result> = Generator<void, Result>;

/** Runs all pieces at once. */
export function whole<Result>(work: Pieces<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

const ITEMS = 500;

/** Computes `items.map(make)`, in pieces. */
export function* mapped<Item, Result>(
  items: readonly Item[],
  make: (item: Item, i: number) => Result,
): Pieces<Result[]> {
  const made: Result[] = [];
  for (const [i, item] of items.entries()) {
    made.push(make(item, i));
    if (i % ITEMS === ITEMS - 1) yield;
  }
  return made;
}
