/**
 * A procedure's result that is already serialized, in pieces: as a single text a page would be copied twice before it
 * is sent.
 */
export class JsonText {
  constructor(private pieces: readonly string[]) {}

  /** Returns the pieces, once: promises that refer to them can outlive the request (server/services/reads/page.ts). */
  take(): readonly string[] {
    const { pieces } = this;
    this.pieces = [];
    return pieces;
  }
}

/** Serializes an object with `before`, its members, and one list, whose items are JSON. */
export function listText(before: string, items: readonly string[]): JsonText {
  const pieces = [before];
  for (let i = 0; i < items.length; i += 1) pieces.push(i === 0 ? (items[i] ?? "") : `,${items[i]}`);
  pieces.push("]}");
  return new JsonText(pieces);
}
