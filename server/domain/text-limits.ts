/** "summary 2,000; description 50,000; location.description 2,000; url 2,048" ("Limits"), in code points. */
export const MAX_SUMMARY = 2_000;
export const MAX_DESCRIPTION = 50_000;
export const MAX_LOCATION = 2_000;
export const MAX_URL = 2_048;
export const MAX_EVENT_ID = 512;
