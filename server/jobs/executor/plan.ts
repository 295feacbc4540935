/** A function as the executor runs it. */
export interface Plan {
  id: string;
  maxAttempts: number;
  events: string[];
  crons: string[];
}
