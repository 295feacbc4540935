/**
 * The prefixes of IDs that are unambiguous when complete. An application may give its own event an ID like one of ours,
 * and operators have no list.
 */
const exclusive = "whd|chn|trg|bkg|acc|apc|pro|cal|app|req";
const whole = new RegExp(`^(${exclusive})_[\\da-f]{24}$`);
const similar = new RegExp(`^(${exclusive}|evt|opr)_[\\w-]+$`);
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const REQUEST_ID = /^[\w.:-]{8,200}$/;

export type IdPrefix = "whd" | "chn" | "trg" | "bkg" | "acc" | "apc" | "pro" | "cal" | "app" | "req" | "evt" | "opr";

/** The possible meanings of a text that staff typed or pasted, before anything is looked up. */
export interface Meaning {
  text: string;
  /**
   * The prefix of the ID that it looks like: an ID without an owner may also be an application's name for something of
   * its own. An email never has one.
   */
  prefix: IdPrefix | null;
  /** One of our IDs, which is unambiguous. */
  isWholeId: boolean;
  /** A request's ID in the log. */
  isLogId: boolean;
  /** An email is complete, or has begun up to its @. */
  email: "whole" | "begun" | null;
  /** It may be the ID that a caller gave a request. */
  mayBeRequest: boolean;
  /** It looks like an email, a host or a path rather than like a name. */
  isAddress: boolean;
}

/** Determines the possible meanings of a typed text, for every list, the palette, GraphQL and exports. */
export function meaningOf(text: string): Meaning {
  return {
    text,
    // The pattern matches only these prefixes.
    prefix: (similar.exec(text)?.[1] as IdPrefix | undefined) ?? null,
    isWholeId: whole.test(text),
    isLogId: UUID.test(text),
    email: emailIn(text),
    mayBeRequest: REQUEST_ID.test(text),
    isAddress: /[./@]/.test(text),
  };
}

/** Detects an email in a text. The query of a callback URL may contain an @ too. */
function emailIn(text: string): Meaning["email"] {
  if (/^[^@/\s]+@[^@\s]+$/.test(text)) return "whole";
  return /^[^/\s]*@/.test(text) ? "begun" : null;
}

/** Reports whether a filter's account is a complete email rather than an ID, which has no @: such filters accept both. */
export function namesEmail(account: string): boolean {
  return account.includes("@");
}
