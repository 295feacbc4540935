import type { Endpoint } from "@/server/domain/endpoints";
import type { ApiRequest } from "@/server/http/api-request";
import type { ComponentName } from "@/server/http/components";
import type { EndpointError } from "@/server/http/error-keys";
import type { ApiCaller } from "@/server/services/api";
import type { BatchOutcome } from "@/server/services/batch/shape";

export type OperationMethod = "get" | "post" | "put" | "patch" | "delete";
export type Tag = (typeof tags)[number]["name"];

/** One operation of the API, as the OpenAPI document describes it. What follows from its credential and its body is not said again. */
export interface Operation {
  id: string;
  method: OperationMethod;
  path: Endpoint;
  tag: Tag;
  summary: string;
  description: string;
  /** `client`: client id and secret, in the body or as HTTP Basic. `either`: an access token, HTTP Basic, or the secret alone as Bearer. */
  credential: "bearer" | "client" | "either" | "none";
  /** A browser opens it, on the app's host. */
  inBrowser?: boolean;
  /** Components whose fields are query parameters. */
  query?: readonly ComponentName[];
  /** Parameters of the path, with a sentence each. */
  params?: Record<string, string>;
  /** Omitted: a body is ignored. */
  body?: RouteBody;
  /** It reads If-None-Match, or where it writes If-Match. */
  isConditional?: true;
  responses: Partial<Record<number, RouteResponse>>;
  /** Of a 422. Omitted: there is none, and a body that cannot be read is an OAuth error. */
  errors?: readonly EndpointError[];
}

/** What `endpoint` makes a handler of. */
export interface Served
  extends Pick<Operation, "id" | "method" | "credential" | "isConditional" | "responses" | "errors"> {
  /** The procedure needs to know how far series are stored. */
  readsOccurrences?: boolean;
  body?: Omit<RouteBody, "schema">;
  /** What the request log keeps of a body that holds texts in fields of its own; then it keeps no response. Omitted: the body, redacted. */
  loggedBody?(body: RouteInput["body"]): unknown;
  /** The path of the metadata of the protected resource, if a challenge is to name it. */
  resourceMetadata?: string;
  call(api: ApiCaller, input: RouteInput): Promise<unknown>;
}

/** An operation with the procedure that responds: `endpoint` makes its handler, `openApiDocument` its description. */
export interface Route extends Operation, Pick<Served, "readsOccurrences" | "call"> {
  credential: Served["credential"];
}

export interface RouteInput {
  query: Record<string, string | string[]>;
  body: Record<string, unknown>;
  params: Record<string, string>;
  /** The header If-Match. */
  ifMatch: string | null;
  headers: ApiRequest["headers"];
  /** Carries out one of several requests within this one. */
  carryOut(work: () => Promise<unknown>): Promise<BatchOutcome>;
}

export interface RouteBody {
  schema: ComponentName;
  /** In bytes. */
  limit: number;
  /** Forms are accepted too. */
  form?: boolean;
  /** The body that a query stands for, if a request has none. Null: the query names nothing. */
  fromQuery?(query: RouteInput["query"]): Record<string, unknown> | null;
}

export interface RouteResponse {
  description: string;
  /** Omitted: an empty body. Several: one of them. */
  schema?: readonly ComponentName[];
  /** Omitted: JSON. */
  type?: "text/html" | "text/plain";
  /** The Content-Type of an empty body. Omitted: none. */
  emptyType?: string;
  location?: boolean;
  etag?: boolean;
}

export const tags = [
  { name: "Connecting", description: "A user connects a calendar account, and your application gets tokens for it." },
  { name: "Accounts", description: "The account behind an access token, with its connected profiles and calendars." },
  { name: "Reading", description: "Free/busy periods and events of every provider, in one format." },
  {
    name: "Scheduling",
    description: "Time that several people have free, and bookings that cannot collide.",
  },
  { name: "Writing events", description: "Events, guests, recurrence and meeting links." },
  { name: "Calendar feeds", description: "Secret addresses at which calendar apps subscribe to a calendar." },
  { name: "Notifications", description: "Channels and the notifications they receive when calendars change." },
  {
    name: "Sandbox",
    description:
      "Simulate other people's changes in application calendars, and errors with the header `Svc-Sandbox-Fault`.",
  },
] as const;
