import type { ComponentName } from "@/server/http/openapi/components";
import type { EndpointError } from "@/server/http/openapi/error-keys";

export type OperationMethod = "get" | "post" | "delete";
export type Tag = (typeof tags)[number]["name"];

/** What the document says of an endpoint beyond what follows from its credential, body and schemas. */
export interface Operation {
  id: string;
  method: OperationMethod;
  path: string;
  tag: Tag;
  summary: string;
  description: string;
  /** `client`: client id and secret in the body. */
  credential: "bearer" | "client" | "none";
  /** A browser opens it, on the app's host. */
  inBrowser?: boolean;
  /** Components whose fields are query parameters. */
  query?: readonly ComponentName[];
  /** Parameters of the path, with a sentence each. */
  params?: Record<string, string>;
  body?: { schema: ComponentName; form?: boolean };
  answers: Partial<Record<number, AnswerOf>>;
  /** Of a 422. */
  errors?: readonly EndpointError[];
}

export interface AnswerOf {
  description: string;
  /** Left out: an empty body. Several: one of them. */
  schema?: readonly ComponentName[];
  /** JSON when left out. */
  type?: "text/html" | "text/plain";
  location?: boolean;
}

export const tags = [
  { name: "Connecting", description: "A user connects a calendar account, and your application gets tokens for it." },
  { name: "Accounts", description: "The account behind an access token, with its connected profiles and calendars." },
  { name: "Reading", description: "Free/busy periods and events of every provider, in one format." },
  { name: "Writing events", description: "Events, guests, recurrence and meeting links." },
  { name: "Notifications", description: "Channels and the notifications they receive when calendars change." },
] as const;
