const ends: (() => Promise<void>)[] = [];

/** Has something done when the test file that runs is over, the last first, before its database is closed. */
export function afterFile(end: () => Promise<void>): void {
  ends.push(end);
}

export async function endFile(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}
