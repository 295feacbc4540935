/** A body of many pieces as it is sent. */
export interface WrittenBody {
  bytes: Buffer;
  /** Says that nobody reads the bytes any more: others are written in their place. Whoever cannot tell leaves it. */
  release(): void;
}

/** Holds any page in the usual characters. Memory that is new to the process costs more than what is written into it. */
const SLAB = 1024 * 1024;
const MOST_FREE = 4;
const MOST_BYTES_PER_UNIT = 3;
const free: Buffer[] = [];

/** Encodes the pieces one after another: of one long text V8 would first make another, and Node a third. */
export function writtenBody(pieces: readonly string[]): WrittenBody {
  const units = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (units * MOST_BYTES_PER_UNIT > SLAB) return { bytes: Buffer.from(pieces.join("")), release: () => {} };
  const slab = free.pop() ?? Buffer.allocUnsafeSlow(SLAB);
  let length = 0;
  for (const piece of pieces) length += slab.write(piece, length);
  let isFree = false;
  const release = () => {
    if (isFree) return;
    isFree = true;
    if (free.length < MOST_FREE) free.push(slab);
  };
  return { bytes: slab.subarray(0, length), release };
}
