import { DEMO_REDIRECT_URI } from "@/server/domain/redirect-uri";
import {
  type Content,
  isOpenToAll,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
} from "@/server/http/openapi/document-shape";

export const POSTMAN_SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

export interface PostmanRequest {
  method: string;
  header: { key: string; value: string }[];
  url: {
    raw: string;
    host: string[];
    path: string[];
    query?: { key: string; value: string; description?: string; disabled?: boolean }[];
    variable?: { key: string; value: string; description?: string }[];
  };
  body?:
    | { mode: "raw"; raw: string; options: { raw: { language: "json" } } }
    | { mode: "urlencoded"; urlencoded: { key: string; value: string }[] };
  description: string;
  auth?:
    | { type: "noauth" }
    | { type: "basic"; basic: { key: "username" | "password"; value: string; type: "string" }[] };
}

export interface PostmanItem {
  name: string;
  request: PostmanRequest;
  response: [];
  event: { listen: "test"; script: { type: "text/javascript"; exec: string[] } }[];
}

export interface PostmanCollection {
  info: { name: string; description: string; schema: string };
  auth: { type: "bearer"; bearer: { key: "token"; value: string; type: "string" }[] };
  variable: { key: string; value: string }[];
  item: { name: string; description: string; item: PostmanItem[] }[];
}

/** What a request puts in a variable of the collection, for the requests after it: where it is in the response. */
const keeps: Record<string, Record<string, string>> = {
  openApplicationCalendar: {
    ...{ token: "access_token", refresh_token: "refresh_token", sub: "sub" },
    profile_id: "linking_profile.profile_id",
  },
  createToken: { token: "access_token" },
  listCalendars: { calendar_id: "calendars[0].calendar_id" },
  openChannel: { channel_id: "channel.channel_id" },
  bookEvent: { booking_id: "booking_id" },
  createTrigger: { trigger_id: "trigger_id" },
  createSubscription: { subscribed_calendar_id: "calendar_id" },
  createFeed: { feed_id: "feed_id" },
};

/** What stands in place of the examples' values: the collection's variables. */
const variables = [
  ...["client_id", "client_secret", "redirect_uri", "refresh_token", "calendar_id", "channel_id", "sub"],
  ...["event_uid", "profile_id", "trigger_id", "booking_id", "subscribed_calendar_id", "feed_id"],
];

/** What the chosen request of `writeEvent` calls its event. */
const written: Record<string, string> = { event_id: "standup" };

/** The variable of a parameter in a path that isn't called like it. */
const calledOtherwise: Record<string, Record<string, string>> = {
  deleteSubscription: { calendar_id: "subscribed_calendar_id" },
};

/** What a request does last. A write returns nothing, so the changes are asked what it wrote. */
const follows: Record<string, string[]> = {
  writeEvent: [
    'const url = pm.variables.replaceIn("{{base_url}}/v1/changes?from=beginning");',
    'const header = { Authorization: pm.variables.replaceIn("Bearer {{token}}") };',
    "pm.sendRequest({ url, header }, (error, response) =>",
    '  pm.collectionVariables.set("event_uid", response.json().changes.at(-1).event_uid));',
  ],
};

/** The statuses of a request that not every application may send. Omitted: that of its success. */
const outcomes: Record<string, number[]> = {
  createReconnectLink: [200, 422],
  importProfile: [200, 422],
  replyToEvent: [202, 403, 422],
  registerClient: [201, 404],
};

/** The example of an operation that works with what the requests before it left behind. Omitted: its first. */
const chosen: Record<string, string> = {
  createToken: "refresh",
  writeEvent: "repeating",
  findAvailability: "own",
  bookEvent: "own",
};

/** Operations that an access token does not suffice for. */
const ofApplications = new Set(["importProfile", "authorizeByServiceAccount", "listResources"]);
const basic: PostmanRequest["auth"] = {
  type: "basic",
  basic: [
    { key: "username", value: "{{client_id}}", type: "string" },
    { key: "password", value: "{{client_secret}}", type: "string" },
  ],
};

/** Where in its folder an operation stands: those without a number between the negative and the positive ones. */
const places: Record<string, number> = {
  openApplicationCalendar: -2,
  createToken: -1,
  writeEvent: -1,
  deleteEventByUid: 1,
  deleteEvent: 2,
  deleteEvents: 3,
  cancelBooking: 1,
};

/** Removes what the other requests need. */
const LAST = "revokeToken";

/**
 * Builds a Postman collection (v2.1), which Bruno and Insomnia import too, with every endpoint once. Sent from top to
 * bottom, each request succeeds, and the last removes what they made.
 */
export function postmanCollection(document: OpenApiDocument): PostmanCollection {
  const [home] = document.servers;
  const baseUrl = home?.url ?? "";
  const values = ["token", ...variables].map((key) => ({
    key,
    value: key === "redirect_uri" ? DEMO_REDIRECT_URI : "",
  }));
  const shown = document.tags.filter(({ name }) => name !== "Sandbox" || document["x-sandbox"] !== "off");
  const folder = (name: string, description: string, placed: Placed[]) => ({
    name,
    description,
    item: placed.map((each) => itemOf(each, baseUrl)),
  });
  const all = operationsOf(document);
  return {
    info: { name: "Almanac", description: aboutText(document), schema: POSTMAN_SCHEMA },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}", type: "string" }] },
    variable: [{ key: "base_url", value: baseUrl }, { key: "app_url", value: appUrlOf(document, baseUrl) }, ...values],
    item: [
      ...shown.map(({ name, description }) =>
        folder(
          name,
          description,
          all.filter(({ operation }) => operation.tags.includes(name) && operation.operationId !== LAST),
        ),
      ),
      folder(
        "Revoking",
        "Removes the calendar and its tokens, so that you can send all requests again.",
        all.filter(({ operation }) => operation.operationId === LAST),
      ),
    ],
  };
}

function aboutText({ info }: OpenApiDocument): string {
  return `${info.summary}\n\nSet \`client_id\` and \`client_secret\`, and \`redirect_uri\` to one that is registered for your application (it is the demo application's). Then send the requests from top to bottom, or send “Open an application calendar” and “List calendars” first: they set \`token\` and \`calendar_id\` for the others.`;
}

/** Returns the address that users' browsers go to: another host than the API's, where there is one. */
function appUrlOf({ paths }: OpenApiDocument, baseUrl: string): string {
  return paths["/oauth/authorize"]?.get?.servers?.[0]?.url ?? baseUrl;
}

interface Placed {
  path: string;
  method: string;
  operation: OperationObject;
}

function operationsOf({ paths }: OpenApiDocument): Placed[] {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const placeOf = ({ operation }: Placed) => places[operation.operationId] ?? 0;
  return all.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function itemOf(placed: Placed, baseUrl: string): PostmanItem {
  const { operation, method } = placed;
  const kept = Object.entries(keeps[operation.operationId] ?? {});
  const [success = ""] = Object.keys(operation.responses);
  const statuses = outcomes[operation.operationId];
  const expectation = statuses
    ? `pm.expect(pm.response.code).to.be.oneOf(${JSON.stringify(statuses)})`
    : `pm.response.to.have.status(${success})`;
  const exec = [
    `pm.test("Status ${statuses?.join(" or ") ?? success}", () => ${expectation});`,
    ...kept.map(([name, at]) => `pm.collectionVariables.set("${name}", pm.response.json().${at});`),
    ...(follows[operation.operationId] ?? []),
  ];
  const isOpen = isOpenToAll(operation);
  const body = bodyOf(operation);
  return {
    name: operation.summary,
    request: {
      method,
      header: body?.mode === "raw" ? [{ key: "Content-Type", value: "application/json" }] : [],
      url: urlOf(placed, baseUrl),
      ...(body && { body }),
      description: operation.description,
      ...(isOpen && { auth: { type: "noauth" } }),
      ...(ofApplications.has(operation.operationId) && { auth: basic }),
    },
    response: [],
    event: [{ listen: "test", script: { type: "text/javascript", exec } }],
  };
}

function urlOf({ path, operation }: Placed, baseUrl: string): PostmanRequest["url"] {
  const server = operation.servers?.[0]?.url ?? baseUrl;
  const host = server === baseUrl ? "{{base_url}}" : "{{app_url}}";
  const own = path.slice(1).split("/");
  const segments = own.map((segment) => segment.replace(/^\{(\w+)\}$/, ":$1"));
  const parameters = operation.parameters ?? [];
  const query = parameters.filter((each) => each.in === "query").map(queryOf);
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  const inPath = parameters.filter((each) => each.in === "path");
  return {
    raw: `${host}/${segments.join("/")}${sent.length > 0 ? `?${sent.join("&")}` : ""}`,
    host: [host],
    path: segments,
    ...(query.length > 0 && { query }),
    ...(inPath.length > 0 && {
      variable: inPath.map(({ name, description }) => ({
        key: name,
        value: written[name] ?? `{{${calledOtherwise[operation.operationId]?.[name] ?? name}}}`,
        ...(description && { description }),
      })),
    }),
  };
}

/** Builds the entry of a query parameter: a required one is sent, and any other can be switched on. */
function queryOf({ name, required, description, examples, schema }: Parameter) {
  // A cursor is good for the account alone that it was issued for.
  const [first] = name === "cursor" ? [] : Object.values(examples ?? {});
  const value = variables.includes(name)
    ? `{{${name}}}`
    : String([first?.value ?? schema.const ?? schema.default ?? ""].flat()[0]);
  return { key: name, value, ...(description && { description }), ...(!required && { disabled: true }) };
}

function bodyOf({ requestBody, operationId }: OperationObject): PostmanRequest["body"] {
  const name = chosen[operationId];
  const json = exampleOf(requestBody?.content["application/json"], name);
  const form = exampleOf(requestBody?.content["application/x-www-form-urlencoded"], name);
  if (form && !json) {
    const urlencoded = Object.entries(form).map(([key, value]) => ({ key, value: String(withVariables(key, value)) }));
    return { mode: "urlencoded", urlencoded };
  }
  if (!json) return undefined;
  const raw = JSON.stringify(json, (key, value) => withVariables(key, value), 2);
  return { mode: "raw", raw, options: { raw: { language: "json" } } };
}

/** Finds the example of this name, or the first if no name is passed. */
function exampleOf(content: Content | undefined, name?: string): Record<string, unknown> | null {
  const examples = content?.examples ?? {};
  const found = name === undefined ? Object.values(examples)[0] : examples[name];
  return (found?.value as Record<string, unknown> | undefined) ?? null;
}

function withVariables(key: string, value: unknown): unknown {
  if (key === "token") return "{{refresh_token}}";
  return variables.includes(key) && typeof value === "string" ? `{{${key}}}` : value;
}
