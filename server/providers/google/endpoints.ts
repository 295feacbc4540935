/** Where Google answers. */
export interface GoogleEndpoints {
  authorization: string;
  token: string;
  revocation: string;
  discovery: string;
  calendar: string;
  directory: string;
}

const paths = {
  authorization: ["https://accounts.google.com", "/o/oauth2/v2/auth"],
  token: ["https://oauth2.googleapis.com", "/token"],
  revocation: ["https://oauth2.googleapis.com", "/revoke"],
  discovery: ["https://accounts.google.com", "/.well-known/openid-configuration"],
  calendar: ["https://www.googleapis.com", "/calendar/v3"],
  directory: ["https://admin.googleapis.com", "/admin/directory/v1"],
} as const;

/** Returns the addresses at Google's hosts, or the same paths at one origin in the place of all hosts. */
export function googleEndpoints(origin: string | null): GoogleEndpoints {
  const all = Object.entries(paths).map(([name, [host, path]]) => [name, `${origin ?? host}${path}`]);
  return Object.fromEntries(all) as Record<keyof typeof paths, string>;
}
