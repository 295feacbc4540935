/**
 * The application of those who try calls from the documentation. It has no secret: only the documentation opens its
 * accounts.
 */
export const VISITORS_APPLICATION = "app_d0c5d0c5d0c5d0c5d0c5d0c5";

/** The shortest life of a visitor's calendar. The hourly cleanup removes it later. */
export const VISIT_MS = 60 * 60 * 1000;

/** The most visitors' calendars at a time: with what one may write, a bound on what strangers can store. */
export const MAX_VISITORS = 100;

/** The most bytes of a request's body. */
export const VISITOR_BODY = 8 * 1024;
