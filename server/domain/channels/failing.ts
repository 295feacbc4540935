/**
 * An endpoint is failing when its last so many attempts failed, of whichever deliveries: one that fails is a hiccup, the third comes a
 * minute later.
 */
export const FAILING_AFTER = 3;
