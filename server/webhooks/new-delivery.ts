/** A delivery before it is stored. */
export interface NewDelivery {
  id: string;
  channel_id: string;
  account_id: string;
  application_id: string;
  type: string;
  body: string;
  host: string;
  changes_since: string | null;
  /** Omitted: its channel is not paused. */
  held?: true;
  /** Omitted: nobody traces. */
  trace?: string;
}
