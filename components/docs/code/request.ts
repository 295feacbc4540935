/**
 * A request as shown in every language. Texts may contain variables, `{TOKEN}`, which each language names and inserts
 * in its own way; shells have them in the environment.
 */
export interface CodeRequest {
  method: string;
  url: string;
  /** In this order. A name may occur twice. */
  query?: readonly (readonly [string, string])[];
  /** Sent as a bearer token. */
  token?: boolean;
  /** Sent with the application's credentials, as HTTP Basic. */
  basic?: boolean;
  headers?: Readonly<Record<string, string>>;
  json?: unknown;
  form?: Readonly<Record<string, string>>;
  /** Whether an error is expected: it is shown, and otherwise ends the program. */
  isError?: boolean;
}

export const variablePattern = /\{([A-Z][A-Z_]*)\}/;

export type TextPart = { text: string } | { variable: string };

/** Splits a text into its parts. */
export function partsOf(text: string): TextPart[] {
  return text
    .split(new RegExp(variablePattern, "g"))
    .map((part, index) => (index % 2 === 1 ? { variable: part } : { text: part }))
    .filter((part) => "variable" in part || part.text !== "");
}

/** Names `CLIENT_ID` as most languages do. */
export function snakeCase(variable: string): string {
  return variable.toLowerCase();
}

export function camelCase(variable: string): string {
  return variable.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Lists the variables that a request takes from the environment, in order of appearance. */
export function variablesOf(request: CodeRequest): string[] {
  const { url, query, json, form, headers } = request;
  const texts = JSON.stringify([url, query ?? [], headers ?? {}, json ?? null, form ?? {}]);
  const met = [...texts.matchAll(new RegExp(variablePattern, "g"))].map(([, name = ""]) => name);
  const credentials = request.basic ? ["CLIENT_ID", "CLIENT_SECRET"] : request.token ? ["TOKEN"] : [];
  return [...new Set([...credentials, ...met])];
}
