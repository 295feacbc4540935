const surrogate = /[\uD800-\uDFFF]/;

/** Counts the characters of a text, which are Unicode code points (ADR 90). */
export function characters(text: string): number {
  if (!surrogate.test(text)) return text.length;
  let pairs = 0;
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    const next = text.charCodeAt(i + 1);
    if (unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff) {
      pairs++;
      i++;
    }
  }
  return text.length - pairs;
}

/** Reports whether a text has more than `most` characters, without counting those of a far longer one. */
export function exceeds(text: string, most: number): boolean {
  return text.length > 2 * most || (text.length > most && characters(text) > most);
}

export type Path = (string | number)[];

const MOST_FAULTS = 100;

/**
 * Finds text with U+0000 or a lone surrogate in a JSON value: the paths of at most 100 such strings. PostgreSQL refuses
 * the first and its jsonb both; the API responds with `errors.invalid` on those fields.
 */
export function textFaults(value: unknown): Path[] {
  const faults: Path[] = [];
  const open: TextPosition[] = [{ value, key: "", parent: undefined }];
  for (let place = open.pop(); place !== undefined && faults.length < MOST_FAULTS; place = open.pop()) {
    if (typeof place.value === "string") {
      if (isFaulty(place.value)) faults.push(pathOf(place));
    } else if (Array.isArray(place.value)) {
      for (let i = place.value.length - 1; i >= 0; i -= 1) open.push({ value: place.value[i], key: i, parent: place });
    } else if (typeof place.value === "object" && place.value !== null) {
      const entries = Object.entries(place.value);
      for (const [key, child] of entries.reverse()) open.push({ value: child, key, parent: place });
    }
  }
  return faults;
}

export function isFaulty(text: string): boolean {
  return text.includes("\u0000") || !text.isWellFormed();
}

/** Strips characters that the database cannot store: U+0000 and lone surrogates. */
export function cleaned(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}

/** Decodes the percent escapes of a text; null when one is malformed, or their bytes are not UTF-8. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

interface TextPosition {
  value: unknown;
  key: string | number;
  parent: TextPosition | undefined;
}

function pathOf(place: TextPosition): Path {
  const path: Path = [];
  for (let at: TextPosition = place; at.parent !== undefined; at = at.parent) path.unshift(at.key);
  return path;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a name must not have
const unnameable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** The requirement of `isNameable`, as the end of a sentence. */
export const NAMEABLE_RULE = "must have no line breaks, and no control or bidirectional formatting characters";

/**
 * Checks that a text can stand as a name in a sentence, and changes neither its lines nor its direction (Unicode, UAX
 * #9).
 */
export function isNameable(text: string): boolean {
  return !unnameable.test(text);
}
