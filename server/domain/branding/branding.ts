/** The look of an application's connect page, besides its name. */
export interface Branding {
  /** The name of its logo in /logos. */
  logo: string | null;
  /** `#rrggbb`. */
  accent: string | null;
  /** https. */
  supportUrl: string | null;
  /** https. */
  privacyUrl: string | null;
}

export const LARGEST_LOGO_BYTES = 100 * 1024;
/** The most pixels per side. */
export const LARGEST_LOGO_SIDE = 1_024;

const LOGO_NAME = /^([\da-f]{32})\.png$/;

/** Returns the path at which browsers load a logo. */
export function logoPath(hash: string): string {
  return `/logos/${hash}.png`;
}

/** Returns the hash in a logo's file name, or null for any other name. */
export function logoHashOf(name: string): string | null {
  return LOGO_NAME.exec(name)?.[1] ?? null;
}
