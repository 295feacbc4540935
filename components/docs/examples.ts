import { everyExample } from "@/components/docs/every-example";
import type { Located } from "@/components/docs/operations";
import type { SampleText } from "@/components/docs/sample";
import type { Content } from "@/server/http/openapi/document-shape";

/** A request to copy, with what came back. */
export interface ShownExample {
  name: string;
  summary: string;
  request: SampleText;
  status: number | null;
  response: SampleText | null;
}

/** The examples of an operation, refusals last. `statuses` has those of responses without a body, by the example's name. */
export function examplesOf(located: Located, statuses: Readonly<Record<string, number>>): ShownExample[] {
  const { operation, isNotification } = located;
  const names = new Map<string, string>();
  const holders = [operation.requestBody, ...Object.values(operation.responses)];
  const contents = holders.flatMap((holder) => Object.values(holder?.content ?? {}));
  for (const holder of [...(operation.parameters ?? []), ...contents]) {
    for (const [name, { summary }] of Object.entries(everyExample(holder))) names.set(name, summary ?? name);
  }
  const all = [...names].map(
    ([name, summary]): ShownExample => ({
      name,
      summary,
      request: isNotification ? body(located, name) : { name: "Request", text: curl(located, name), language: "shell" },
      ...responseTo(located, name, statuses[name]),
    }),
  );
  return all.sort((a, b) => Number(isRefusal(a)) - Number(isRefusal(b)));
}

function isRefusal({ status }: { status: number | null }): boolean {
  return (status ?? 0) >= 400;
}

function body({ operation }: Located, name: string): SampleText {
  const value = operation.requestBody?.content["application/json"]?.examples?.[name]?.value;
  return { name: "Body", text: JSON.stringify(value, null, 2), language: "json" };
}

function curl({ operation, method, path, server }: Located, name: string): string {
  let place = path;
  const query: string[] = [];
  for (const holder of operation.parameters ?? []) {
    const { name: parameter, in: where } = holder;
    const value = everyExample(holder)[name]?.value;
    if (value === undefined) continue;
    if (where === "path") place = place.replace(`{${parameter}}`, encodeURIComponent(String(value)));
    else for (const each of [value].flat()) query.push(`${parameter}=${each}`);
  }
  const content = operation.requestBody?.content ?? {};
  const json = everyExample(content["application/json"] ?? {})[name]?.value;
  const form = everyExample(content["application/x-www-form-urlencoded"] ?? {})[name]?.value;
  const isSent = json !== undefined || form !== undefined;
  const method_ = method === "GET" || (method === "POST" && isSent) ? "" : `-X ${method} `;
  const isOpen = operation.security?.length === 0 || operation.security?.some((each) => Object.keys(each).length === 0);
  const lines = [
    `curl ${method === "GET" && query.length > 0 ? "-G " : ""}${method_}${server}${place}`,
    ...(isOpen ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    ...query.map((each) => `--data-urlencode ${quoted(each)}`),
    ...(json === undefined
      ? []
      : [`-H "Content-Type: application/json"`, `-d ${quoted(JSON.stringify(json, null, 2))}`]),
    ...(json === undefined && form
      ? Object.entries(form).map(([key, value]) => `-d ${quoted(`${key}=${value}`)}`)
      : []),
  ];
  return lines.join(" \\\n  ");
}

/** As a shell takes it unread. */
function quoted(text: string): string {
  return /^[\w=:/.,@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function responseTo({ operation }: Located, name: string, known: number | undefined) {
  const holding = ([, { content }]: [string, { content?: Record<string, Content> }]) =>
    Object.values(content ?? {}).some(({ examples }) => examples && name in examples);
  const found = Object.entries(operation.responses).find(holding);
  if (!found) return { status: known ?? null, response: null };
  const [status, { content = {} }] = found;
  const value = Object.values(content).find(({ examples }) => examples && name in examples)?.examples?.[name]?.value;
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const language = typeof value === "string" ? ("text" as const) : ("json" as const);
  return { status: Number(status), response: { name: `Response ${status}`, text, language } };
}
