/** The only scope there is. */
export const SCOPE = "read_write";

/** "Access token lifetime: 10800 seconds" ("Limits"). */
export const ACCESS_TOKEN_SECONDS = 10_800;
/** "Authorization code: single use, 10 minutes" ("Limits"). */
export const CODE_LIFE_MS = 600_000;
/** "Link token: single use, 5 minutes" ("Limits"). */
export const LINK_TOKEN_MS = 300_000;
/** How long a connect page that was opened can be sent. */
export const PAGE_LIFE_MS = 1_800_000;
