import { type CodeRequest, variablePattern } from "@/components/docs/code/request";

const BEARER = `-H "Authorization: Bearer $TOKEN"`;
const BASIC = '-u "$CLIENT_ID:$CLIENT_SECRET"';

export function curl(request: CodeRequest): string {
  const { method, url, query = [], token, basic, headers = {}, json, form } = request;
  const method_ = method === "GET" ? "" : `-X ${method} `;
  // With a body, or another method than GET, curl's flags for a query would send it as a body.
  const [flags, inAddress] = method === "GET" ? [query, []] : [[], query];
  const lines = [
    `curl ${flags.length > 0 ? "-G " : ""}${method_}${bare(withQuery(url, inAddress))}`,
    ...(token ? [BEARER] : []),
    ...(basic ? [BASIC] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${headerText(`${name}: ${value}`)}`),
    ...flags.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
    ...(json === undefined
      ? []
      : [`-H "Content-Type: application/json"`, `-d ${quoted(JSON.stringify(json, null, 2))}`]),
    ...(json === undefined && form
      ? Object.entries(form).map(([key, value]) => `${flagOf(value)} ${quoted(`${key}=${value}`)}`)
      : []),
  ];
  return lines.join(" \\\n  ");
}

function withQuery(url: string, query: NonNullable<CodeRequest["query"]>): string {
  const search = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return search === "" ? url : `${url}?${search}`;
}

/** Quotes a header, so that a shell expands variables in it. */
function headerText(text: string): string {
  return text.includes('"') ? quoted(text) : `"${text}"`;
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
