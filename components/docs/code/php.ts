import { literal, type Notation } from "@/components/docs/code/literal";
import { type CodeRequest, partsOf, snakeCase, variablesOf } from "@/components/docs/code/request";

const plain = (text: string) =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll("$", "\\$")
    .replace(/\\u([0-9a-f]{4})/g, "\\u{$1}");
const notation: Notation = {
  text: (text) => {
    const parts = partsOf(text);
    const [only] = parts;
    if (only && "variable" in only && parts.length === 1) return `$${snakeCase(only.variable)}`;
    const inner = parts.map((part) => ("variable" in part ? `{$${snakeCase(part.variable)}}` : plain(part.text)));
    return `"${inner.join("")}"`;
  },
  object: ["[", "]"],
  list: ["[", "]"],
  entry: (key, value) => `${notation.text(key)} => ${value}`,
  emptyObject: "new stdClass()",
  nothing: "null",
  yes: "true",
  no: "false",
  indent: 2,
  pad: "",
};

const CREDENTIALS = '$credentials = base64_encode("{$client_id}:{$client_secret}");';

/** Writes a request with what every PHP has: no extension. */
export function php(request: CodeRequest): string {
  const { method, json, form } = request;
  const headers = headersOf(request);
  const options = [
    `"method" => ${JSON.stringify(method)},`,
    ...(headers.length > 0 ? [`"header" => ${literal(notation, headers, 2)},`] : []),
    ...(json === undefined ? [] : [`"content" => json_encode(${literal(notation, json, 2)}),`]),
    ...(json === undefined && form ? [`"content" => http_build_query(${literal(notation, form, 2)}),`] : []),
    `"ignore_errors" => true,`,
  ];
  return [
    "<?php",
    "",
    ...variablesOf(request).map(fromEnvironment),
    ...(request.basic ? [CREDENTIALS] : []),
    `$context = stream_context_create(["http" => [`,
    ...options.map((option) => `  ${option}`),
    "]]);",
    `$response = file_get_contents(${addressOf(request)}, false, $context);`,
    `echo $http_response_header[0], "\\n", $response, "\\n";`,
  ].join("\n");
}

function addressOf({ url, query = [] }: CodeRequest): string {
  if (query.length === 0) return notation.text(url);
  const names = new Set(query.map(([name]) => name));
  if (names.size === query.length) {
    return `${notation.text(`${url}?`)} . http_build_query(${literal(notation, Object.fromEntries(query))})`;
  }
  // PHP would turn a repeated name into an array.
  return notation.text(`${url}?${new URLSearchParams(query.map(([name, value]) => [name, value]))}`);
}

function headersOf({ token, basic, headers = {}, json, form }: CodeRequest): string[] {
  return [
    ...(token ? ["Authorization: Bearer {TOKEN}"] : []),
    ...(basic ? ["Authorization: Basic {CREDENTIALS}"] : []),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(json !== undefined ? ["Content-Type: application/json"] : []),
    ...(json === undefined && form ? ["Content-Type: application/x-www-form-urlencoded"] : []),
  ];
}

function fromEnvironment(variable: string): string {
  return `$${snakeCase(variable)} = getenv("${variable}");`;
}
