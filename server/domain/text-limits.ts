/** "summary 2,000; description 50,000; location.description 2,000; url 2,048" ("Limits"), in code points. */
export const MAX_SUMMARY = 2_000;
export const MAX_DESCRIPTION = 50_000;
export const MAX_LOCATION = 2_000;
export const MAX_URL = 2_048;
export const MAX_EVENT_ID = 512;
/** The most characters of an email address, as mail servers accept it (RFC 5321 §4.5.3.1.3). */
export const MAX_EMAIL = 254;
export const MAX_GUEST_NAME = 256;
/** Of the name of a subscription. */
export const MAX_SUBSCRIPTION_NAME = 255;
export const MAX_CALLBACK_URL = 2_048;
/** The most characters of each string of the OAuth endpoints. */
export const MAX_OAUTH_FIELD = 500;
/** The most characters of a provider's refresh token. Microsoft's have one to two thousand, and its documentation names no limit. */
export const MAX_PROVIDER_TOKEN = 8_192;
/** "redirect_uri 2000" ("Limits"). */
export const MAX_REDIRECT_URI = 2_000;
export const MAX_APPLICATION_CALENDAR_ID = 255;
/** The most characters of a cursor, and of an id that is only looked up. */
export const MAX_ID = 600;
/** The fewest characters of a client secret that names its application alone: shorter ones could be guessed. */
export const MIN_SECRET_ALONE = 20;
/** The most characters of a cursor of the feed of changes, which has a number for each calendar. */
export const MAX_FEED_CURSOR = 8_000;
/** The same of GET /v1/writes, whose cursors hold an event's id: JSON and base64 make up to eight characters of each. */
export const MAX_WRITES_CURSOR = 4_200;
export const MAX_APPLICATION_NAME = 100;
/** Of what an operator writes about an account. */
export const MAX_NOTE = 2_000;
