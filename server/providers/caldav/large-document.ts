let last: Promise<void> = Promise.resolve();

/** Waits until no other large document is being read. Call the returned function at the end of this one. */
export async function largeDocument(): Promise<() => void> {
  const before = last;
  let leave = () => {};
  last = new Promise((resolve) => {
    leave = resolve;
  });
  await before;
  return leave;
}
