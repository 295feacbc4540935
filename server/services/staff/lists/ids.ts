const prefixed = "(whd|chn|acc|apc|pro|cal|app|req)_";
const whole = new RegExp(`^${prefixed}[\\da-f]{24}$`);
const looksLike = new RegExp(`^${prefixed}[\\w-]+$`);

/** One of our ids, which means nothing else. */
export function isWholeId(typed: string): boolean {
  return whole.test(typed);
}

/** It begins like one of our ids: also an id that nothing has, or an application's name for something of its own. An email never does. */
export function looksLikeId(typed: string): boolean {
  return looksLike.test(typed);
}
