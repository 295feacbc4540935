/** The application of those who try calls from the documentation. It has no secret: its accounts are opened by the documentation alone. */
export const VISITORS_APPLICATION = "app_d0c5d0c5d0c5d0c5d0c5d0c5";

/** How long a visitor's calendar is there at least; the chore of the hour removes it. */
export const VISIT_MS = 60 * 60 * 1000;

/** Of living visitors' calendars: with what one may write, a bound on what strangers can store. */
export const MAX_VISITORS = 100;

/** Bytes of a request's body. */
export const VISITOR_BODY = 8 * 1024;
