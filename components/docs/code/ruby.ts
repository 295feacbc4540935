import { literal, type Notation } from "@/components/docs/code/literal";
import { type CodeRequest, partsOf, snakeCase, variablesOf } from "@/components/docs/code/request";

const plain = (text: string) =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/#(?=[{$@])/g, "\\#");
const notation: Notation = {
  text: (text) => {
    const parts = partsOf(text);
    const [only] = parts;
    if (only && "variable" in only && parts.length === 1) return snakeCase(only.variable);
    const inner = parts.map((part) => ("variable" in part ? `#{${snakeCase(part.variable)}}` : plain(part.text)));
    return `"${inner.join("")}"`;
  },
  object: ["{", "}"],
  list: ["[", "]"],
  entry: (key, value) => (/^[a-z_]\w*$/i.test(key) ? `${key}: ${value}` : `${notation.text(key)} => ${value}`),
  emptyObject: "{}",
  nothing: "nil",
  yes: "true",
  no: "false",
  indent: 2,
  pad: " ",
};
const ofHeaders: Notation = { ...notation, entry: (key, value) => `${notation.text(key)} => ${value}` };

const CREDENTIALS = 'credentials = ["#{client_id}:#{client_secret}"].pack("m0")';

/** Writes a request with the standard library alone. */
export function ruby(request: CodeRequest): string {
  const { method, url, query = [], json, form } = request;
  const lines = [`require "json"`, `require "net/http"`, "", ...variablesOf(request).map(fromEnvironment)];
  if (request.basic) lines.push(CREDENTIALS);
  lines.push(`uri = URI(${notation.text(url)})`);
  if (query.length > 0) lines.push(`uri.query = URI.encode_www_form(${literal(notation, query)})`);
  const headers = headersOf(request);
  lines.push(
    `request = Net::HTTP::${capital(method)}.new(uri${headers ? `, ${literal(ofHeaders, headers)}` : ""})`,
    ...(json === undefined ? [] : [`request.body = JSON.generate(${literal(notation, json)})`]),
    ...(json === undefined && form ? [`request.set_form_data(${literal(notation, form)})`] : []),
    'response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") do |http|',
    "  http.request(request)",
    "end",
  );
  return [...lines, "puts response.code, response.body"].join("\n");
}

function fromEnvironment(variable: string): string {
  return `${snakeCase(variable)} = ENV.fetch("${variable}")`;
}

function headersOf({ token, basic, headers = {}, json }: CodeRequest): Record<string, string> | null {
  const sent = {
    ...(token && { Authorization: "Bearer {TOKEN}" }),
    ...(basic && { Authorization: "Basic {CREDENTIALS}" }),
    ...headers,
    ...(json !== undefined && { "Content-Type": "application/json" }),
  };
  return Object.keys(sent).length > 0 ? sent : null;
}

function capital(method: string): string {
  return method.slice(0, 1) + method.slice(1).toLowerCase();
}
