/** A search result, as a line that links to it. */
export interface FoundThing {
  kind: "application" | "account" | "endpoint" | "event" | "delivery" | "request";
  id: string;
  /** A name or an email, host and path of an endpoint, an application's id for an event, method and path of a request. */
  name: string;
  /** The application that it belongs to; null: it is one, or belongs to none. */
  applicationName: string | null;
  /** The account that an event or an endpoint belongs to. Null: it is something else. */
  accountName: string | null;
  /** The state of a delivery, `deleted` for an event, the state of an endpoint that is closed or paused, of a revoked account; the status of a request. */
  state: string | null;
}
