const HIDDEN = "[redacted]";
const SECRET =
  /^(?:set-)?cookie2?$|authorization|authentication-info|api-?key|token|secret|session|password|credential/i;

/** The headers of a receiver's answer as they are kept and shown: its cookies and credentials are nobody's here. */
export function answerHeaders<Value>(headers: Readonly<Record<string, Value>>): Record<string, Value | string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, SECRET.test(name) ? HIDDEN : value]));
}
