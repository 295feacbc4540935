import type { Provider } from "@/server/domain/providers";
import { changeProfile, setMeetingLinks } from "../fakes/stored";
import { connectedWithTokens, withToken } from "./grants";
import { type ApiResponse, type Application, call, newApplication } from "./service";

/** A calendar that a test writes to, whoever keeps it. */
export interface WritableCalendar {
  application: Application;
  calendarId: string;
  get(path: string, query?: Record<string, string>): Promise<ApiResponse>;
  post(path: string, json: unknown): Promise<ApiResponse>;
  remove(path: string, json: unknown): Promise<ApiResponse>;
}

const services = {
  google: "google_workspace",
  microsoft: "microsoft_365",
  outlook: "outlook",
  icloud: "icloud",
  caldav: "caldav",
  feed: "feed",
  hosted: "hosted",
} as const satisfies Record<Provider, string>;

/** The writable calendar of a new account at a provider. `makesLinks`: it adds meeting links of its own. */
export async function providerCalendar(
  provider: Provider,
  { makesLinks = false }: { makesLinks?: boolean } = {},
): Promise<WritableCalendar> {
  const application = await newApplication();
  const { accessToken, profileId, calendarIds } = await connectedWithTokens(application);
  await changeProfile(profileId, { provider, service: services[provider] });
  await setMeetingLinks(calendarIds.writable, makesLinks);
  return {
    application,
    calendarId: calendarIds.writable,
    get: (path, query = {}) =>
      call("GET", `${path}?${new URLSearchParams(query)}`, { headers: { authorization: `Bearer ${accessToken}` } }),
    post: (path, json) => withToken("POST", path, accessToken, json),
    remove: (path, json) => withToken("DELETE", path, accessToken, json),
  };
}
