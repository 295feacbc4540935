/** How a calendar's line is folded, in a text or in XML. */
const CR = "(?:\\r|&#13;|&#[xX]0?[dD];)?";
const splitCharacter = new RegExp(`([\\x80-\\xff])${CR}\\n[ \\t](?=[\\x80-\\xbf])`, "g");
const unfinished = /[\x80-\xff](?:\r|&[#xXdD013]{0,4};?)?\n?[ \t]?$/;
const LONGEST_UNFINISHED = 12;
const NON_ASCII = 0x80;
const LINE_FEED = 0x0a;

export interface DecodedPieces {
  /** The text of the next bytes, as far as it is known. */
  take(piece: Uint8Array): string;
  end(): string;
}

/**
 * Decodes UTF-8 that arrives in pieces. RFC 5545 §3.1 allows a line to be folded at any byte, so that a character may be split: such a
 * fold, behind which no whole character begins, is removed.
 */
export function decodedPieces(): DecodedPieces {
  const utf8 = new TextDecoder();
  let held: Buffer = Buffer.alloc(0);
  return {
    take(piece) {
      const bytes = joined(
        held.length > 0 ? Buffer.concat([held, piece]) : Buffer.from(piece.buffer, piece.byteOffset, piece.length),
      );
      const known = bytes.length - unfinishedAt(bytes);
      held = Buffer.from(bytes.subarray(known));
      return utf8.decode(bytes.subarray(0, known), { stream: true });
    },
    end: () => utf8.decode(held),
  };
}

/** Counts the bytes at the end that may be the first of a fold within a character. */
function unfinishedAt(bytes: Buffer): number {
  const end = bytes.subarray(-LONGEST_UNFINISHED).toString("latin1");
  return unfinished.exec(end)?.[0].length ?? 0;
}

function joined(bytes: Buffer): Buffer {
  return hasSplit(bytes) ? Buffer.from(bytes.toString("latin1").replace(splitCharacter, "$1"), "latin1") : bytes;
}

/** Reports whether a line begins with the middle of a character. */
function hasSplit(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    const [blank = 0, first = 0] = [bytes[at + 1], bytes[at + 2]];
    if ((blank === 0x20 || blank === 0x09) && first >= NON_ASCII && first < 0xc0) return true;
  }
  return false;
}
