// No boundary in front: what stands there may itself be an escape.
const TOKEN = /(?:at|rt|lt)_[A-Za-z0-9_-]{16}|whsec_[A-Za-z0-9+/_-]{16}/;
const SHORTEST_TOKEN = 19;
/** What `newToken` makes without a prefix (a client secret, an authorization code), and a signing secret without its own. */
const UNNAMED = /(?<![\w-])[\w-]{43}(?![\w-])|(?<![\w+/-])[A-Za-z0-9+/]{43}=/g;
const HEADER_RUN = /[\w~+/=-]{20,}/g;
/** What is left at least of 43 characters where something else stands so near to a prefix that `TOKEN` misses it. */
const ID_RUN = /[\w~+/=-]{28,}/g;
const MIXED = /^(?=.*[a-z])(?=.*[A-Z])/;
/** Ids of ours and UUIDs: random, and no secret. */
const IDS = /(?<![A-Za-z0-9])(?:[a-z]{3}_[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/gi;
/** How often random letters and digits, unlike words, begin again: see `isRandom`. */
const MOST_STARTS = 6;

const ESCAPED = /%[0-9A-Fa-f]{2}/;
const ESCAPES = /(?:%[0-9A-Fa-f]{2})+/g;
const DEEPEST_ESCAPE = 5;
/** Control and zero-width characters, and every other that no secret of ours has and a reader may overlook. */
const UNSEEN = /[^\x20-\x7e]/g;
const UNSEEN_OR_SPACE = /[^\x21-\x7e]/g;
const UNSEEN_OR_ESCAPE = /[^\x21-\x24\x26-\x7e]/;

/**
 * Reports whether a text holds one of our own tokens or secrets that somebody put in the wrong place, whether or not it
 * is percent-encoded (several times, or badly) or has unseen characters in it.
 */
export function holdsToken(text: string): boolean {
  if (text.length < SHORTEST_TOKEN) return false;
  if (TOKEN.test(text)) return true;
  if (!UNSEEN_OR_ESCAPE.test(text)) return false;
  const plain = cleaned(text, UNSEEN_OR_SPACE);
  return plain === null || TOKEN.test(plain) || TOKEN.test(withoutPercent(text));
}

/** Reports whether a text holds a token, or something that has exactly the form of our secrets without a prefix. */
export function holdsOurs(text: string): boolean {
  return holdsToken(text) || isUnnamedIn(cleaned(text, UNSEEN_OR_SPACE) ?? "") || isUnnamedIn(withoutPercent(text));
}

/**
 * Reports whether a text holds a token, or a run of characters that is typical of secrets without a prefix and that
 * words with spaces between them don't have.
 */
export function holdsSecret(text: string): boolean {
  if (holdsToken(text)) return true;
  const plain = cleaned(text, UNSEEN) ?? "";
  return isUnnamedIn(plain) || (plain.match(HEADER_RUN) ?? []).some(isRandom);
}

/** Reports the same where an id of ours belongs: that one is no secret. */
export function holdsSecretAmongIds(text: string): boolean {
  if (holdsToken(text)) return true;
  if (isUnnamedIn(withoutPercent(text))) return true;
  const plain = cleaned(text, UNSEEN_OR_SPACE) ?? "";
  const runs = plain.replace(IDS, " ").match(ID_RUN) ?? [];
  return runs.some((run) => MIXED.test(run) || isRandom(run));
}

function isUnnamedIn(plain: string): boolean {
  return (plain.match(UNNAMED) ?? []).some((run) => MIXED.test(run));
}

/**
 * Removes escapes, those that come to light then, and unseen characters from a text. Null: there are still more
 * escapes, which nobody has who hides nothing.
 */
function cleaned(text: string, unseen: RegExp): string | null {
  let plain = text.replace(unseen, "");
  for (let depth = 0; ESCAPED.test(plain); depth += 1) {
    if (depth === DEEPEST_ESCAPE) return null;
    plain = plain.replace(ESCAPES, decoded).replace(unseen, "");
  }
  return plain.replaceAll("%", "");
}

/** Removes percent signs, because a stray one makes an escape of the two letters behind it. */
function withoutPercent(text: string): string {
  return text.replace(UNSEEN_OR_SPACE, "").replaceAll("%", "");
}

function decoded(escapes: string): string {
  return Buffer.from(escapes.replaceAll("%", ""), "hex").toString("utf8");
}

/** Counts the places where a letter follows a digit, a digit a letter, or a capital a small letter: words have few, secrets many. */
export function isRandom(text: string): boolean {
  let starts = 0;
  let last = "other";
  for (let i = 0; i < text.length; i += 1) {
    const kind = kindOf(text.charCodeAt(i));
    const isStart = kind !== last && kind !== "other" && last !== "other" && !(last === "upper" && kind === "lower");
    if (isStart) starts += 1;
    last = kind;
  }
  return starts > MOST_STARTS;
}

function kindOf(code: number): "upper" | "lower" | "digit" | "other" {
  if (code >= 0x61 && code <= 0x7a) return "lower";
  if (code >= 0x41 && code <= 0x5a) return "upper";
  return code >= 0x30 && code <= 0x39 ? "digit" : "other";
}

/** Prepares a caller's own text for the process log: a token in it is not written. */
export function loggable(text: string): string {
  return holdsOurs(text) ? "[redacted]" : text;
}
