/** A successful read that takes longer is always in the request log. */
export const SLOW_READ_MS = 1_000;

/** The hexadecimal digits at the end of an id that choose, and how many numbers they are. */
export const CHOOSING_DIGITS = 8;
export const CHOOSING_NUMBERS = 16 ** CHOOSING_DIGITS;

/** Reports whether a row of the request log is in a share (0 to 1) of all rows, which the random end of its id chooses. */
export function isInShare(id: string, share: number): boolean {
  return Number.parseInt(id.slice(-CHOOSING_DIGITS), 16) < share * CHOOSING_NUMBERS;
}
