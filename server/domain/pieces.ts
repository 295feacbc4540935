/** Work that stops now and then: whoever drives it decides whether others have their turn first. */
export type Pieces<Result> = Generator<void, Result>;

/** Does all of it at once. */
export function whole<Result>(work: Pieces<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
