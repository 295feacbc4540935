/** How an application's connect page looks, beside its name. */
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
/** The most pixels of a side. */
export const LARGEST_LOGO_SIDE = 1_024;

const LOGO_NAME = /^([\da-f]{32})\.png$/;

/** Where browsers find a logo. */
export function logoPath(hash: string): string {
  return `/logos/${hash}.png`;
}

/** The hash that a name in /logos is made of. Null: it is no such name. */
export function logoHashOf(name: string): string | null {
  return LOGO_NAME.exec(name)?.[1] ?? null;
}
