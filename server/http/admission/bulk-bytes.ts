/** In bytes: pages of usual events are never that long. */
const ORDINARY_RESPONSE = 200_000;

/** How many bytes of a response are read in bulk: those beyond an ordinary one, counted twice. */
export function bulkBytes(bytes: number): number {
  return 2 * Math.max(0, bytes - ORDINARY_RESPONSE);
}
