type End = () => Promise<void>;

const ends: End[] = [];
const lastEnds: End[] = [];

/** Has something done when the test file that runs is over, the last first, before its database is closed. */
export function afterFile(end: End): void {
  ends.push(end);
}

/** The same, once the service has ended too. */
export function afterService(end: End): void {
  lastEnds.push(end);
}

export async function endFile(endService: End): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
  await endService();
  for (const end of lastEnds.splice(0).reverse()) await end();
}
