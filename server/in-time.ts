/** Waits for work, for so many milliseconds at most: then for what `late` gives, or throws. Leaves no timer behind. */
export async function inTime<T, Late>(ms: number, work: Promise<T>, late: () => Late): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<typeof END>((resolve) => {
    timer = setTimeout(resolve, ms, END);
  });
  try {
    const first = await Promise.race([work, end]);
    return first === END ? late() : first;
  } finally {
    clearTimeout(timer);
  }
}

const END = Symbol("the end of the time");
