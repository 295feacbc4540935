import { literal, type Notation } from "@/components/docs/code/literal";
import { type CodeRequest, camelCase, partsOf, variablesOf } from "@/components/docs/code/request";

const notation: Notation = {
  text: (text) => {
    const parts = partsOf(text);
    const [only] = parts;
    if (only && "variable" in only && parts.length === 1) return camelCase(only.variable);
    if (!parts.some((part) => "variable" in part)) return JSON.stringify(text);
    const inner = parts.map((part) =>
      "variable" in part ? `\${${camelCase(part.variable)}}` : part.text.replace(/[\\`$]/g, "\\$&"),
    );
    return `\`${inner.join("")}\``;
  },
  object: ["{", "}"],
  list: ["[", "]"],
  entry: (key, value) => {
    const name = /^[a-z_]\w*$/i.test(key) ? key : JSON.stringify(key);
    return name === value ? name : `${name}: ${value}`;
  },
  emptyObject: "{}",
  nothing: "null",
  yes: "true",
  no: "false",
  indent: 2,
  pad: " ",
};

const CREDENTIALS = `const credentials = Buffer.from(\`\${clientId}:\${clientSecret}\`).toString("base64");`;

/** Writes a request with fetch, as in Node and browsers. */
export function node(request: CodeRequest): string {
  const { url, query = [] } = request;
  const pairs = new Set(query.map(([name]) => name)).size < query.length ? query : Object.fromEntries(query);
  const address = query.length > 0 ? `\`${asTemplate(url)}?\${query}\`` : notation.text(url);
  const options = optionsOf(request);
  const call = `const response = await fetch(${address}${options ? `, ${options}` : ""});`;
  return [
    ...variablesOf(request).map(fromEnvironment),
    ...(request.basic ? [CREDENTIALS] : []),
    ...(query.length > 0 ? [`const query = new URLSearchParams(${literal(notation, pairs)});`] : []),
    call,
    "console.log(response.status, await response.text());",
  ].join("\n");
}

function fromEnvironment(variable: string): string {
  return `const ${camelCase(variable)} = process.env.${variable};`;
}

function asTemplate(url: string): string {
  const text = notation.text(url);
  return text.startsWith("`") ? text.slice(1, -1) : url;
}

function optionsOf({ method, token, basic, headers = {}, json, form }: CodeRequest): string {
  const sent = {
    ...(token && { Authorization: "Bearer {TOKEN}" }),
    ...(basic && { Authorization: "Basic {CREDENTIALS}" }),
    ...headers,
    ...(json !== undefined && { "Content-Type": "application/json" }),
  };
  const entries = [
    ...(method === "GET" ? [] : [`method: ${JSON.stringify(method)},`]),
    ...(Object.keys(sent).length > 0 ? [`headers: ${literal(notation, sent, 2)},`] : []),
    ...(json === undefined ? [] : [`body: JSON.stringify(${literal(notation, json, 2)}),`]),
    ...(json === undefined && form ? [`body: new URLSearchParams(${literal(notation, form, 2)}),`] : []),
  ];
  return entries.length > 0 ? `{\n${entries.map((entry) => `  ${entry}\n`).join("")}}` : "";
}
