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
  auth?: { type: "noauth" };
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
  openApplicationCalendar: { token: "access_token", refresh_token: "refresh_token" },
  createToken: { token: "access_token" },
  listCalendars: { calendar_id: "calendars[0].calendar_id" },
  openChannel: { channel_id: "channel.channel_id" },
};

/** What stands in place of the examples' values: the collection's variables. */
const variables = ["client_id", "client_secret", "redirect_uri", "refresh_token", "calendar_id", "channel_id"];

/** The example of an operation that works with what the requests before it left behind. Omitted: its first. */
const chosen: Record<string, string> = { createToken: "refresh", writeEvent: "repeating" };

/** Where in its folder an operation stands: those without a number between the negative and the positive ones. */
const places: Record<string, number> = { openApplicationCalendar: -2, createToken: -1, deleteEvent: 1 };

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
  const exec = [
    `pm.test("Status ${success}", () => pm.response.to.have.status(${success}));`,
    ...kept.map(([name, at]) => `pm.collectionVariables.set("${name}", pm.response.json().${at});`),
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
  const query = parameters.filter((each) => each.in === "query").flatMap(queryOf);
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
        value: `{{${name}}}`,
        ...(description && { description }),
      })),
    }),
  };
}

/** Builds the entry of a query parameter: a required one is sent, and any other can be switched on. */
function queryOf({ name, required, description, examples, schema }: Parameter) {
  const [first] = Object.values(examples ?? {});
  const value = variables.includes(name)
    ? `{{${name}}}`
    : String([first?.value ?? schema.const ?? schema.default ?? ""].flat()[0]);
  return [{ key: name, value, ...(description && { description }), ...(!required && { disabled: true }) }];
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
