import { literal, type Notation } from "@/components/docs/code/literal";
import { type CodeRequest, partsOf, snakeCase, variablesOf } from "@/components/docs/code/request";

const notation: Notation = {
  text: (text) => {
    const parts = partsOf(text);
    const [only] = parts;
    if (only && "variable" in only && parts.length === 1) return snakeCase(only.variable);
    if (!parts.some((part) => "variable" in part)) return JSON.stringify(text);
    const inner = parts.map((part) =>
      "variable" in part
        ? `{${snakeCase(part.variable)}}`
        : JSON.stringify(part.text).slice(1, -1).replace(/[{}]/g, "$&$&"),
    );
    return `f"${inner.join("")}"`;
  },
  object: ["{", "}"],
  list: ["[", "]"],
  entry: (key, value) => `${JSON.stringify(key)}: ${value}`,
  emptyObject: "{}",
  nothing: "None",
  yes: "True",
  no: "False",
  indent: 4,
  pad: "",
};

const CREDENTIALS = 'credentials = base64.b64encode(f"{client_id}:{client_secret}".encode()).decode()';

/** Writes a request with the standard library alone. */
export function python(request: CodeRequest): string {
  const lines = [...imports(request), "", ...variablesOf(request).map(fromEnvironment)];
  if (request.basic) lines.push(CREDENTIALS);
  lines.push(`request = Request(\n${argumentsOf(request)})`);
  if (request.isError) {
    lines.push("try:", "    response = urlopen(request)", "except HTTPError as error:", "    response = error");
    lines.push("print(response.status, response.read().decode())");
  } else {
    lines.push("with urlopen(request) as response:", "    print(response.status, response.read().decode())");
  }
  return lines.join("\n");
}

function imports(request: CodeRequest): string[] {
  const isEncoded = (request.query?.length ?? 0) > 0 || (request.form !== undefined && request.json === undefined);
  return [
    ...(request.basic ? ["import base64"] : []),
    ...(request.json === undefined ? [] : ["import json"]),
    ...(variablesOf(request).length > 0 ? ["import os"] : []),
    ...(request.isError ? ["from urllib.error import HTTPError"] : []),
    ...(isEncoded ? ["from urllib.parse import urlencode"] : []),
    "from urllib.request import Request, urlopen",
  ];
}

function fromEnvironment(variable: string): string {
  return `${snakeCase(variable)} = os.environ["${variable}"]`;
}

function argumentsOf({ method, url, query = [], token, basic, headers = {}, json, form }: CodeRequest): string {
  const sent = {
    ...(token && { Authorization: "Bearer {TOKEN}" }),
    ...(basic && { Authorization: "Basic {CREDENTIALS}" }),
    ...headers,
    ...(json !== undefined && { "Content-Type": "application/json" }),
  };
  const pairs = query.map(([name, value]) => `(${notation.text(name)}, ${notation.text(value)})`);
  const search = pairs.length > 0 ? `\n    + "?" + urlencode([${pairs.join(", ")}])` : "";
  const entries = [
    `${notation.text(url)}${search},`,
    `method=${JSON.stringify(method)},`,
    ...(Object.keys(sent).length > 0 ? [`headers=${literal(notation, sent, 4)},`] : []),
    ...(json === undefined ? [] : [`data=json.dumps(${literal(notation, json, 4)}).encode(),`]),
    ...(json === undefined && form ? [`data=urlencode(${literal(notation, form, 4)}).encode(),`] : []),
  ];
  return entries.map((entry) => `    ${entry}\n`).join("");
}
