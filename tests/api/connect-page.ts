import { REDIRECT_URI } from "./grants";
import type { ApiResponse, Application } from "./service";
import { call } from "./service";

const LANGUAGES = /<nav class="languages".*?<\/nav>/s;

/** The links of the page's language switch, by language. */
export function languagesOf({ text }: Pick<ApiResponse, "text">): Record<string, URL> {
  const [nav = ""] = LANGUAGES.exec(text) ?? [];
  const all = [...nav.matchAll(/<a href="([^"]*)" lang="(\w+)"/g)];
  return Object.fromEntries(all.map(([, href, language]) => [language, new URL(unescaped(href ?? ""), "http://x")]));
}

export const STATE = "st ate/ü?&=+%";

/** Where the links that cancel lead. */
export const CANCELLED = `${REDIRECT_URI}?error=access_denied&error_description=The%20user%20cancelled&state=${encodeURIComponent(STATE)}`;

/** GET /oauth/authorize as an application sends a person there; null leaves a parameter out. */
export function authorize(
  application: Application,
  fields: Record<string, string | null> = {},
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  return call("GET", authorizePath(application, fields), { headers });
}

export function authorizePath(application: Application, fields: Record<string, string | null> = {}): string {
  const all = {
    response_type: "code",
    client_id: application.clientId,
    redirect_uri: REDIRECT_URI,
    state: STATE,
    ...fields,
  };
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null);
  return `/oauth/authorize?${new URLSearchParams(given)}`;
}

/** A form that a browser opened: its hidden fields, and the cookie that came with it. */
export interface OpenForm {
  fields: Record<string, string>;
  cookie: string;
  html: string;
}

export async function openForm(
  application: Application,
  fields: Record<string, string | null> = {},
): Promise<OpenForm> {
  return formOf(await authorize(application, { provider_name: "apple", ...fields }));
}

export function formOf(answer: ApiResponse): OpenForm {
  const hidden = [...answer.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  if (answer.status !== 200 || hidden.length === 0) throw new Error(`no form: ${answer.status} ${titleOf(answer)}`);
  const fields = Object.fromEntries(hidden.map(([, name, value]) => [name ?? "", unescaped(value ?? "")]));
  return { fields, cookie: cookieOf(answer), html: answer.text };
}

/** What a browser sends back of the cookie that an answer set. */
export function cookieOf({ headers }: ApiResponse): string {
  return headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
}

export function sendForm(
  { fields, cookie }: Pick<OpenForm, "fields" | "cookie">,
  more: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  return call("POST", "/oauth/authorize", { form: { ...fields, ...more }, headers: { cookie, ...headers } });
}

/** Where the page sends the browser. */
export function returnedTo(answer: ApiResponse): URL {
  const location = answer.headers.get("location");
  if (answer.status !== 302 || !location) throw new Error(`no way back: ${answer.status} ${titleOf(answer)}`);
  return new URL(location);
}

export function titleOf({ text }: ApiResponse): string {
  return /<title>[^<]*/.exec(text)?.[0] ?? text;
}

/** The page's links, without those of its language switch. */
export function links({ text }: Pick<ApiResponse, "text">): string[] {
  return [...text.replace(LANGUAGES, "").matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => unescaped(href ?? ""));
}

export function unescaped(html: string): string {
  const named: Record<string, string> = { "&amp;": "&", "&quot;": '"', "&#x27;": "'", "&lt;": "<", "&gt;": ">" };
  return html.replace(/&(?:amp|quot|#x27|lt|gt);/g, (entity) => named[entity] ?? entity);
}
