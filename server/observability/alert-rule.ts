/** A condition in PromQL, how long it has to hold, and what to do then. */
export interface AlertRule {
  alert: string;
  expr: string;
  for: string;
  /** `page`: users notice it now. `info`: someone did this on purpose. */
  severity: "page" | "ticket" | "info";
  summary: string;
  /** What users of the applications notice. */
  users: string;
  /** What to look at first, as Markdown. */
  first: readonly [string, string, string];
  advice: string;
  escalate: string;
}
