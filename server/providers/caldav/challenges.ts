/** One way in which a server lets clients sign in (RFC 9110 §11.3). */
export interface Challenge {
  /** In lower case. */
  scheme: string;
  /** By names in lower case, without quotes. */
  params: ReadonlyMap<string, string>;
}

/** A name, and what is assigned to it: a quoted string or a token. Names without a value are schemes. */
const PART = /([\w!#$%&'*+.^`|~-]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/g;
const LONGEST = 8_192;

/** Gives the challenges of WWW-Authenticate, in the server's order. One that cannot be read has fewer parameters. */
export function challengesOf(headers: Headers): Challenge[] {
  const found: { scheme: string; params: Map<string, string> }[] = [];
  for (const [, name = "", quoted, token] of (headers.get("www-authenticate") ?? "").slice(0, LONGEST).matchAll(PART)) {
    const value = quoted?.replace(/\\(.)/g, "$1") ?? token;
    if (value === undefined) found.push({ scheme: name.toLowerCase(), params: new Map() });
    else found.at(-1)?.params.set(name.toLowerCase(), value);
  }
  return found;
}

/** Gives the parameters of Authentication-Info (RFC 7615), which has no scheme. */
export function authenticationInfo(headers: Headers): ReadonlyMap<string, string> {
  const text = headers.get("authentication-info") ?? "";
  return challengesOf(new Headers({ "www-authenticate": `info ${text}` }))[0]?.params ?? new Map();
}
