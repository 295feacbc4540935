type Step = () => void | Promise<void>;

/** A step of the start came after the end had begun. */
export class Ended extends Error {}

/** What takes a start back, the last step first. */
export interface Undo {
  /** Once it is being taken, takes these at once, and throws `Ended`: the start is not to go on. */
  add(...steps: Step[]): void;
  isTaken(): boolean;
  take(): Promise<void>;
}

/** `failed` is told of a step that failed; the others are taken all the same. */
export function undoing(failed: (error: unknown) => void): Undo {
  const steps: Step[] = [];
  let taken: Promise<void> | undefined;
  const unwind = async () => {
    for (let step = steps.pop(); step; step = steps.pop()) {
      try {
        await step();
      } catch (error) {
        failed(error);
      }
    }
  };
  return {
    isTaken: () => taken !== undefined,
    add(...more) {
      steps.push(...more);
      if (!taken) return;
      taken = taken.then(unwind);
      throw new Ended();
    },
    async take() {
      taken ??= unwind();
      for (let last: Promise<void> | undefined; last !== taken; ) {
        last = taken;
        await last;
      }
    },
  };
}
