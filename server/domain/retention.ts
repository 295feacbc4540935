/** "Delivery list retention: 30 days" ("Limits"). */
export const DELIVERIES_KEPT_DAYS = 30;
/** "Request log retention: 30 days (7 days on the Developer plan)" ("Limits"). */
export const REQUESTS_KEPT_DAYS = { standard: 30, developer: 7 } as const;

/** Retention as pages word it. */
export const requestsKept = `${REQUESTS_KEPT_DAYS.standard} days, or ${REQUESTS_KEPT_DAYS.developer} days on the Developer plan`;
