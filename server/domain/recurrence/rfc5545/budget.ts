/**
 * The work that a series may still cost: a date tried, a time computed or a date read is one step. Code that lacks a
 * step sets `exhausted` and stops.
 */
export interface Budget {
  steps: number;
  exhausted?: boolean;
}

/**
 * Enough for a quarter-hourly series over the read window, and for daily ones that COUNT from decades ago. The worst
 * rules use it up within some 60 ms.
 */
export const SERIES_STEPS = 50_000;

/** Steps after which the caller of an expansion may let other work go first. */
export const STEPS_A_PIECE = 500;

/** Takes steps from the budget. Returns false if they are not there. */
export function spend(budget: Budget, steps = 1): boolean {
  if (budget.steps < steps) {
    budget.steps = 0;
    budget.exhausted = true;
    return false;
  }
  budget.steps -= steps;
  return true;
}
