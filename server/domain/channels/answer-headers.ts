const HIDDEN = "[redacted]";
const SECRET =
  /^(?:set-)?cookie2?$|authorization|authentication-info|api-?key|token|secret|session|password|credential/i;

/**
 * Redacts a receiver's response headers for storage and display: its cookies and credentials are nobody's business
 * here.
 */
export function answerHeaders<Value>(headers: Readonly<Record<string, Value>>): Record<string, Value | string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, SECRET.test(name) ? HIDDEN : value]));
}
