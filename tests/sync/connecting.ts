import { openForm, returnedTo, sendForm } from "../api/connect-page";
import { exchange, withToken } from "../api/grants";
import type { Application } from "../api/service";

/** What somebody types into the form of the connect page. */
export type SignIn = {
  username: string;
  password: string;
};

/** Opens the form, signs in and follows the page back: the code. */
export async function codeOf(
  application: Application,
  person: SignIn,
  fields: Record<string, string> = {},
): Promise<string> {
  const to = returnedTo(await sendForm(await openForm(application, fields), person));
  const code = to.searchParams.get("code");
  if (!code) throw new Error(`no code: ${to}`);
  return code;
}

/** A calendar account whose code was exchanged. */
export async function connectedWith(application: Application, person: SignIn, fields: Record<string, string> = {}) {
  const answer = await exchange(application, await codeOf(application, person, fields));
  if (answer.status !== 200) throw new Error(`no tokens: ${answer.status} ${answer.text}`);
  const { access_token, refresh_token, sub, linking_profile } = answer.json;
  const calendars = (await withToken("GET", "/v1/calendars", access_token)).json.calendars;
  return {
    accessToken: access_token as string,
    refreshToken: refresh_token as string,
    accountId: sub as string,
    profileId: linking_profile.profile_id as string,
    calendarIds: calendars.map(({ calendar_id }: { calendar_id: string }) => calendar_id) as string[],
  };
}

export async function linkToken(accessToken: string): Promise<string> {
  return (await withToken("POST", "/v1/link_tokens", accessToken)).json.link_token;
}
