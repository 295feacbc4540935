/** A thing that a search found, as a line that leads to it. */
export interface FoundThing {
  kind: "application" | "account" | "endpoint" | "event" | "delivery" | "request";
  id: string;
  /** A name or an email, host and path of an endpoint, an application's id for an event, method and path of a request. */
  name: string;
  /** The application that it belongs to; null: it is one, or belongs to none. */
  applicationName: string | null;
  /** Of a delivery, an endpoint that is closed or paused, an account that is revoked; of a request its status. */
  state: string | null;
  /** Of an event: where it is shown. */
  place?: { accountId: string; calendarId: string; day: string };
}
