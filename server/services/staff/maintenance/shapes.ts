/** A switch that is on. Times are ISO, in UTC. */
export interface ShownSwitch {
  /** `service`, or the application's id. */
  id: string;
  /** Null: it is of the whole service. */
  applicationName: string | null;
  since: string;
  /** When it ends by itself. Null: somebody ends it. */
  endsAt: string | null;
  note: string;
  /** Who turned it on. */
  actor: string;
}

export interface Maintenance {
  /** Null: the service is not read-only. */
  service: ShownSwitch | null;
  /** Applications whose requests are refused, by name. */
  applications: ShownSwitch[];
}
