import { type CodeRequest, variablePattern } from "@/components/docs/code/request";

const BEARER = `-H "Authorization: Bearer $TOKEN"`;

export function curl(request: CodeRequest): string {
  const { method, url, query = [], token, headers = {}, json, form } = request;
  const isSent = json !== undefined || form !== undefined;
  const method_ = method === "GET" || (method === "POST" && isSent) ? "" : `-X ${method} `;
  const lines = [
    `curl ${method === "GET" && query.length > 0 ? "-G " : ""}${method_}${bare(url)}`,
    ...(token ? [BEARER] : []),
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`),
    ...query.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
    ...(json === undefined
      ? []
      : [`-H "Content-Type: application/json"`, `-d ${quoted(JSON.stringify(json, null, 2))}`]),
    ...(json === undefined && form
      ? Object.entries(form).map(([key, value]) => `${flagOf(value)} ${quoted(`${key}=${value}`)}`)
      : []),
  ];
  return lines.join(" \\\n  ");
}

/** Chooses the flag for a value: characters that forms and curl interpret must be encoded. */
function flagOf(value: string): string {
  return /^[\w.:/~@,{}-]*$/.test(value) ? "-d" : "--data-urlencode";
}

/** Writes an address, with quotes only if it contains characters that shells interpret. */
function bare(url: string): string {
  const text = withVariables(url);
  return /[?&;()<> ]/.test(text) ? `"${text}"` : text;
}

/** Quotes a text so that a shell expands only variables. */
function quoted(text: string): string {
  const variable = new RegExp(variablePattern, "g");
  if (/^[^'"\n$`\\]*\{[A-Z_]+\}[^'"\n$`\\]*$/.test(text)) return `"${withVariables(text)}"`;
  const plain = text.replaceAll("'", `'\\''`).replace(variable, "'$$$1'");
  return /^[\w=:/.,@-]+$/.test(text) ? text : `'${plain}'`;
}

/** Writes variables so that what follows one can't look like more of its name. */
function withVariables(text: string): string {
  return text.replace(new RegExp(`${variablePattern.source}(?=(\\w?))`, "g"), (_, name: string, next: string) =>
    next ? `\${${name}}` : `$${name}`,
  );
}
