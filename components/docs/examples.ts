import { STATUS_CODES } from "node:http";
import { curl } from "@/components/docs/code/curl";
import { codeLanguages, inEveryLanguage } from "@/components/docs/code/languages";
import type { CodeRequest } from "@/components/docs/code/request";
import type { Variant } from "@/components/docs/code-sample";
import { everyExample } from "@/components/docs/every-example";
import type { Operation } from "@/components/docs/operations";
import type { SampleText } from "@/components/docs/sample";
import { type Content, isOpenToAll } from "@/server/http/openapi/document-shape";
import { known } from "@/server/http/openapi/examples/example";
import { scenario } from "@/server/http/openapi/examples/scenario";

/** A request to copy, with its response. */
export interface ShownExample {
  name: string;
  summary: string;
  /** In curl, or a notification's body. */
  request: SampleText;
  /** The request in every language, if programs send it. */
  variants: readonly Variant[];
  /** What a visitor's browser sends to try it. Null: a visitor can't. */
  trial: TryCall | null;
  status: number | null;
  /** For a redirect, its status and where it leads. */
  response: SampleText | null;
  /** The text in place of a response: "empty body". Null: it is shown, or there is none. */
  instead: string | null;
}

/** Replaced with the visitor's calendar, and the account that it belongs to, by client/try-it.ts. */
const CALENDAR = "{calendar_id}";
const ACCOUNT = "{sub}";

/** `path` and `body` may contain `{calendar_id}` and `{sub}`. */
export interface TryCall {
  method: string;
  path: string;
  body: string | null;
  /** What must be sent first, because the example is about what that creates. */
  before?: { summary: string; call: TryCall };
}

/** Requirements of a visitor who tries an example. */
export interface Visit {
  before?: TryCall["before"];
  /** It needs what no visitor has: a user's account, or compatibility mode. */
  isBeyond?: boolean;
}

/**
 * Builds the examples of an operation, errors last. `statuses` has those of responses without a body, `visits` what
 * trying it needs, both by the example's name.
 */
export function examplesOf(
  located: Operation,
  statuses: Readonly<Record<string, number>>,
  visits: Readonly<Record<string, Visit>> = {},
): ShownExample[] {
  const { operation, isNotification } = located;
  const names = new Map<string, string>();
  const holders = [operation.requestBody, ...Object.values(operation.responses)];
  const contents = holders.flatMap((holder) => Object.values(holder?.content ?? {}));
  for (const holder of [...(operation.parameters ?? []), ...contents]) {
    for (const [name, { summary }] of Object.entries(everyExample(holder))) names.set(name, summary ?? name);
  }
  const all = [...names].map(([name, summary]): ShownExample => {
    const response = responseTo(located, name, statuses[name]);
    const request = requestOf(located, name, isRefusal(response));
    const variants = isNotification || isOpenedByBrowsers(located) ? [] : variantsOf(request);
    const shown = isNotification
      ? body(located, name)
      : { name: "Request", text: curl(request), language: "shell" as const };
    const { before, isBeyond } = visits[name] ?? {};
    const trial =
      isTried(located) && !request.basic && !isBeyond ? { ...trialOf(request), ...(before && { before }) } : null;
    return { name, summary, request: shown, variants, trial, ...response };
  });
  return all.sort((a, b) => Number(isRefusal(a)) - Number(isRefusal(b)));
}

/** Reports whether users are sent there, so that a program only builds the link. */
function isOpenedByBrowsers({ operation }: Operation): boolean {
  return operation.operationId === "authorize";
}

/**
 * Reports whether visitors can try an operation: they have a calendar and its token, but no client secret, no channel,
 * trigger or feed, no event or profile whose id an example knows, and no second account.
 */
function isTried({ operation, path }: Operation): boolean {
  return (
    !isOpenToAll(operation) &&
    path.startsWith("/v1/") &&
    !/\/feeds(\/|$)/.test(path) &&
    !/^\/v1\/(channels|link_tokens|triggers|subscriptions|profiles\/|events\/)|event_uid/.test(path)
  );
}

function trialOf({ method, url, query = [], json }: CodeRequest): TryCall {
  const search = query.length > 0 ? `?${new URLSearchParams(query.map(([name, value]) => [name, value]))}` : "";
  const path = withPlaceholder(new URL(url).pathname + search);
  return { method, path, body: json === undefined ? null : withPlaceholder(JSON.stringify(json)) };
}

/** Replaces the examples' calendar and account with the visitor's. An unknown one stays. */
function withPlaceholder(text: string): string {
  return text
    .replaceAll(known.calendarId, CALENDAR)
    .replaceAll(known.connectedCalendarId, CALENDAR)
    .replaceAll(known.calendarAccountId, ACCOUNT);
}

function variantsOf(request: CodeRequest): Variant[] {
  const all = inEveryLanguage(request);
  return codeLanguages.map((language) => ({ ...language, text: all[language.id] }));
}

function isRefusal({ status }: { status: number | null }): boolean {
  return (status ?? 0) >= 400;
}

function body({ operation }: Operation, name: string): SampleText {
  const value = operation.requestBody?.content["application/json"]?.examples?.[name]?.value;
  return { name: "Body", text: JSON.stringify(value, null, 2), language: "json" };
}

/** Reports whether an example has the application's credentials, where an access token could be sent too. */
function isOfApplication(operationId: string, name: string): boolean {
  return scenario.some(
    (example) => example.operation === operationId && example.name === name && example.as === "application",
  );
}

function requestOf({ operation, method, path, server }: Operation, name: string, isError: boolean): CodeRequest {
  let place = path;
  const query: [string, string][] = [];
  const headers: Record<string, string> = {};
  for (const holder of operation.parameters ?? []) {
    const { name: parameter, in: where } = holder;
    const value = everyExample(holder)[name]?.value;
    if (value === undefined) continue;
    if (where === "path") place = place.replace(`{${parameter}}`, encodeURIComponent(String(value)));
    else if (where === "header") headers[parameter] = String(value);
    else for (const each of [value].flat()) query.push([parameter, String(each)]);
  }
  const content = operation.requestBody?.content ?? {};
  const json = everyExample(content["application/json"] ?? {})[name]?.value;
  const form = everyExample(content["application/x-www-form-urlencoded"] ?? {})[name]?.value;
  const basic = isOfApplication(operation.operationId, name);
  return {
    method,
    url: `${server}${place}`,
    query,
    headers,
    token: !basic && !isOpenToAll(operation),
    basic,
    isError,
    ...(json === undefined ? form !== undefined && { form: form as Record<string, string> } : { json }),
  };
}

function responseTo({ operation }: Operation, name: string, known: number | undefined) {
  const holding = ([, { content }]: [string, { content?: Record<string, Content> }]) =>
    Object.values(content ?? {}).some(({ examples }) => examples && name in examples);
  const found = Object.entries(operation.responses).find(holding);
  const redirect = redirectOf(operation.responses, name);
  if (redirect) return { ...redirect, instead: null };
  if (!found) {
    const isPage = operation.responses[String(known)]?.content?.["text/html"] !== undefined;
    const instead = known === undefined ? null : isPage ? "an HTML page" : "empty body";
    return { status: known ?? null, response: null, instead };
  }
  const [status, { content = {} }] = found;
  const value = Object.values(content).find(({ examples }) => examples && name in examples)?.examples?.[name]?.value;
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const language = typeof value === "string" ? ("text" as const) : ("json" as const);
  return { status: Number(status), response: { name: `Response ${status}`, text, language }, instead: null };
}

function redirectOf(responses: Operation["operation"]["responses"], name: string) {
  for (const [status, { headers }] of Object.entries(responses)) {
    const location = headers?.Location;
    const to = location && "examples" in location ? location.examples?.[name]?.value : undefined;
    if (to === undefined) continue;
    const text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\nLocation: ${to}`;
    return { status: Number(status), response: { name: `Response ${status}`, text, language: "text" as const } };
  }
  return null;
}
