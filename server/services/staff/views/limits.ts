/** How many views an operator may have of each list. */
export const MOST_VIEWS = 20;
export const MAX_VIEW_NAME = 60;
/** Twenty values of each filter fit. */
export const MAX_VIEW_QUERY = 6_000;
