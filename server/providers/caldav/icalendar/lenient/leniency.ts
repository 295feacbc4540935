/** One way in which calendar programs write a value otherwise than RFC 5545 says, and how it is read. */
export interface Leniency {
  name: string;
  /** Who writes it, or why this reading is the right one. */
  why: string;
  /** A text of this kind, and the same in the standard's own spelling. */
  example: readonly [odd: string, standard: string];
  /** Puts a text of this kind into the standard's spelling. Any other text is returned unchanged. */
  respell(text: string): string;
}

/** Reads a text as the standard says. If that fails, its odd spellings are put right, one after the other, until it can be read. */
export function readLeniently<Value>(
  text: string,
  table: readonly Leniency[],
  read: (text: string) => Value | null,
): Value | null {
  let [value, spelling] = [read(text), text];
  for (const { respell } of table) {
    if (value !== null) break;
    const next = respell(spelling);
    if (next === spelling) continue;
    spelling = next;
    value = read(spelling);
  }
  return value;
}
