/**
 * A request as it is shown in every language. Texts may hold variables, `{TOKEN}`, which a language names and inserts in its own way;
 * shells have them in the environment.
 */
export interface CodeRequest {
  method: string;
  url: string;
  /** In this order; a name may come twice. */
  query?: readonly (readonly [string, string])[];
  /** Sent as a bearer token. */
  token?: boolean;
  headers?: Readonly<Record<string, string>>;
  json?: unknown;
  form?: Readonly<Record<string, string>>;
  /** What it expects: an error is shown, and otherwise ends the program. */
  isError?: boolean;
  /** In a shell the status line and headers are what there is to see. */
  showsStatus?: boolean;
  /** Variables that the lines before it set; others come from the environment. */
  set?: readonly string[];
  /** Of a piece of a longer program, in which variables are set by earlier pieces. */
  piece?: Piece;
}

export interface Piece {
  /** The response's variable, which no other piece has. */
  result: string;
  /** What is kept of the response. The first is printed. */
  keep?: readonly [Kept, ...Kept[]];
}

export interface Kept {
  variable: string;
  /** Where it is in the body. */
  path: readonly (string | number)[];
  /** What is said if it isn't there. */
  orElse: string;
}

export const variablePattern = /\{([A-Z][A-Z_]*)\}/;

export type TextPart = { text: string } | { variable: string };

/** A text in what it is made of. */
export function partsOf(text: string): TextPart[] {
  return text
    .split(new RegExp(variablePattern, "g"))
    .map((part, index) => (index % 2 === 1 ? { variable: part } : { text: part }))
    .filter((part) => "variable" in part || part.text !== "");
}

/** `CLIENT_ID` as most languages name it. */
export function snakeCase(variable: string): string {
  return variable.toLowerCase();
}

export function camelCase(variable: string): string {
  return variable.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `["channel"][0]`, as most languages write it. */
export function placeIn(path: Kept["path"]): string {
  return path.map((step) => `[${JSON.stringify(step)}]`).join("");
}

/** The variables that a request takes from the environment, in the order in which they are met. */
export function variablesOf(request: CodeRequest): string[] {
  const { url, query, json, form, headers } = request;
  const texts = JSON.stringify([url, query ?? [], headers ?? {}, json ?? null, form ?? {}]);
  const met = [...texts.matchAll(new RegExp(variablePattern, "g"))].map(([, name = ""]) => name);
  return [...new Set([...(request.token ? ["TOKEN"] : []), ...met])].filter((name) => !request.set?.includes(name));
}
