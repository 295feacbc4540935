let last: Promise<void> = Promise.resolve();

/** Waits until no other large document is read; what it gives is to be called at the end of this one. */
export async function largeDocument(): Promise<() => void> {
  const before = last;
  let leave = () => {};
  last = new Promise((resolve) => {
    leave = resolve;
  });
  await before;
  return leave;
}
