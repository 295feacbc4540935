import { ConfigurationError } from "./errors.js";

interface CheckedOptions {
  baseUrl: string;
  appUrl?: string;
  clientId: string;
  clientSecret: string;
}

const needed = {
  baseUrl: "the URL of your Almanac service, such as https://api.acme.io",
  clientId: "the client id of your application",
  clientSecret: "the client secret of your application",
};

/** Throws a ConfigurationError that says what to set: an option read from an environment variable that is not set is empty. */
export function checkOptions(options: CheckedOptions): void {
  for (const [name, what] of Object.entries(needed) as [keyof typeof needed, string][]) {
    if (!options[name]) throw new ConfigurationError(`${name} is missing: set it to ${what}`);
  }
  for (const name of ["baseUrl", "appUrl"] as const) {
    const url = options[name];
    if (url && !isWebUrl(url))
      throw new ConfigurationError(`${name} must begin with https:// or http://, but is "${url}"`);
  }
}

function isWebUrl(text: string): boolean {
  if (!/^https?:\/\/[^/]/i.test(text)) return false;
  try {
    return new URL(text).host !== "";
  } catch {
    return false;
  }
}
