type Step = () => void | Promise<void>;

/** A step of the start came after the end had begun. */
export class StartEnded extends Error {}

/** What takes a start back, the last step first. */
export interface Undo {
  /** Once it is being taken, takes these at once, and throws `StartEnded`: the start is not to go on. */
  add(...steps: Step[]): void;
  isTaken(): boolean;
  take(): Promise<void>;
}

/**
 * Collects steps and takes them back, last first. A step that fails is reported to `failed`, and the others are still
 * taken.
 */
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
      throw new StartEnded();
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
