/**
 * The work that a series may still cost: a date tried, a time made or a date read is one step. Whoever needs a step that is
 * not there sets `exhausted` and stops.
 */
export interface Budget {
  steps: number;
  exhausted?: boolean;
}

/** Takes steps from the budget; false when they are not there. */
export function spend(budget: Budget, steps = 1): boolean {
  if (budget.steps < steps) {
    budget.steps = 0;
    budget.exhausted = true;
    return false;
  }
  budget.steps -= steps;
  return true;
}
