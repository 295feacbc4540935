/** "summary 2,000; description 50,000; location.description 2,000; url 2,048" ("Limits"), in code points. */
export const MAX_SUMMARY = 2_000;
export const MAX_DESCRIPTION = 50_000;
export const MAX_LOCATION = 2_000;
export const MAX_URL = 2_048;
export const MAX_EVENT_ID = 512;
/** The most characters of an email address, as mail servers accept it (RFC 5321 §4.5.3.1.3). */
export const MAX_EMAIL = 254;
export const MAX_GUEST_NAME = 256;
export const MAX_CALLBACK_URL = 2_048;
/** The most characters of each string of the OAuth endpoints. */
export const MAX_OAUTH_FIELD = 500;
export const MAX_APPLICATION_CALENDAR_ID = 255;
/** The most characters of a cursor, and of an id that is only looked up. */
export const MAX_ID = 600;
