import { importPKCS8, SignJWT } from "jose";
import { clock } from "@/server/clock";
import { type DelegationKey, GOOGLE_ROOMS, type GoogleKey } from "@/server/domain/delegations";
import { googleVerdicts } from "@/server/domain/provider-responses/google";
import type { EgressFetch } from "@/server/egress/fetch";
import type { AccessToken } from "@/server/providers/access-token";
import { down } from "@/server/providers/ask-json";
import { type GoogleApi, googleApi } from "@/server/providers/google/api";
import type { GoogleEndpoints } from "@/server/providers/google/endpoints";
import { CALENDAR_SCOPES, scope } from "@/server/providers/google/sign-in";
import { listOf, objectOf, textOf } from "@/server/providers/json-values";
import type {
  FoundMailbox,
  MailboxProblem,
  MailboxQuestion,
  Organization,
  Room,
} from "@/server/providers/organization";
import { refusedAs } from "@/server/providers/refused-as";
import { isRefusal, tokenIssuer, tokenOf } from "@/server/providers/token-endpoint";

/** What an administrator allows the service account to do for its users, beside CALENDAR_SCOPES. */
export const DIRECTORY_SCOPES = [
  scope("admin.directory.user.readonly"),
  scope("admin.directory.group.member.readonly"),
  scope("admin.directory.resource.calendar.readonly"),
];

const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const ASSERTION_S = 3_600;
/** "The maximum is 500" (resources.calendars.list, maxResults). */
const A_PAGE = 500;
const MOST_PAGES = 50;

interface OrganizationInput {
  endpoints: GoogleEndpoints;
  fetch: EgressFetch;
  /** Requests access tokens. */
  signInFetch: EgressFetch;
}

type Act = { user: string; scopes: readonly string[] };

/**
 * Opens mailboxes by domain-wide delegation: the service account signs an assertion that names the user to act for
 * ("Using OAuth 2.0 for Server to Server Applications"). The directory is read in the name of an administrator.
 */
export function googleOrganization({ endpoints, fetch, signInFetch }: OrganizationInput): Organization {
  const issue = tokenIssuer({ fetch: signInFetch, url: endpoints.token, client: {}, rows: googleVerdicts });
  const act = async (key: GoogleKey, { user, scopes }: Act): Promise<AccessToken> => {
    const now = Math.floor(clock().now() / 1_000);
    const assertion = await new SignJWT({ scope: scopes.join(" ") })
      .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: key.privateKeyId })
      .setIssuer(key.clientEmail)
      .setSubject(user)
      .setAudience(endpoints.token)
      .setIssuedAt(now)
      .setExpirationTime(now + ASSERTION_S)
      .sign(await importPKCS8(key.privateKey, "RS256"));
    const outcome = await issue("act_for_user", { grant_type: GRANT_TYPE, assertion });
    if (isRefusal(outcome)) throw outcome.refusal;
    return tokenOf(outcome);
  };

  const directory = (key: GoogleKey): GoogleApi => {
    let token: Promise<AccessToken> | undefined;
    const accessToken = async () => {
      token ??= act(key, { user: key.administrator, scopes: DIRECTORY_SCOPES });
      return (await token).text;
    };
    return googleApi(fetch, endpoints.directory, { accessToken });
  };

  const roomsOf = async (api: GoogleApi) => {
    const path = "/customer/my_customer/resources/calendars";
    return (await listed(api, { path, field: "items" })).filter(
      ({ resourceCategory, resourceEmail }) => textOf(resourceEmail) && resourceCategory !== "OTHER",
    );
  };

  const person = async (key: GoogleKey, { email, group }: MailboxQuestion): Promise<Found | MailboxProblem> => {
    const api = directory(key);
    const path = `/users/${encodeURIComponent(email)}`;
    const { verdict, body } = await api({ kind: "read_directory", path, accepts: ["gone"] });
    const { id, primaryEmail, name, suspended, archived } = body;
    if (verdict !== null || typeof id !== "string") return { problem: "unknown_mailbox" };
    if (suspended === true || archived === true) return { problem: "suspended" };
    const user = textOf(primaryEmail)?.toLowerCase() ?? email;
    if (group !== null) {
      const member = `/groups/${encodeURIComponent(group)}/hasMember/${encodeURIComponent(user)}`;
      const asked = await api({ kind: "read_directory", path: member, accepts: ["gone"] });
      if (asked.verdict !== null) return { problem: "no_such_group" };
      if (asked.body.isMember !== true) return { problem: "not_in_group" };
    }
    const fullName = textOf(objectOf(name).fullName)?.trim() || null;
    return { subject: id, name: user, fullName, email: user, user, room: null };
  };

  const room = async (key: GoogleKey, email: string): Promise<Found | MailboxProblem> => {
    const found = (await roomsOf(directory(key))).find(
      ({ resourceEmail }) => textOf(resourceEmail)?.toLowerCase() === email,
    );
    if (!found) return { problem: "unknown_mailbox" };
    const name = nameOf(found) ?? email;
    return { subject: email, name: email, fullName: name, email, user: key.administrator, room: { email, name } };
  };

  return {
    token: (given, { user, room }) => {
      const key = googleKey(given);
      // The administrator may be another one by now.
      return act(key, { user: room ? key.administrator : user, scopes: CALENDAR_SCOPES.full });
    },
    prove: async (key) => {
      const { administrator: user } = googleKey(key);
      await act(googleKey(key), { user, scopes: DIRECTORY_SCOPES });
    },
    find: async (given, { email, group }) => {
      const key = googleKey(given);
      const isRoom = email.endsWith(`@${GOOGLE_ROOMS}`);
      const found = await refusedAs("directory", () => (isRoom ? room(key, email) : person(key, { email, group })));
      if ("problem" in found) return found;
      const issued = async (): Promise<FoundMailbox> => {
        const token = await act(key, { user: found.user, scopes: CALENDAR_SCOPES.full });
        return { ...found, service: "google_workspace", token };
      };
      return await refusedAs("mailbox", issued);
    },
    rooms: async (given) => {
      const api = directory(googleKey(given));
      const [calendars, buildings] = await Promise.all([
        roomsOf(api),
        listed(api, { path: "/customer/my_customer/resources/buildings", field: "buildings" }),
      ]);
      const names = new Map(buildings.map(({ buildingId, buildingName }) => [buildingId, textOf(buildingName)]));
      return calendars.map((one): Room => {
        const email = String(textOf(one.resourceEmail)).toLowerCase();
        const capacity = typeof one.capacity === "number" ? one.capacity : null;
        return { email, name: nameOf(one) ?? email, capacity, building: names.get(one.buildingId) ?? null };
      });
    },
  };
}

type Found = Omit<FoundMailbox, "token" | "service">;

function googleKey(key: DelegationKey): GoogleKey {
  if (key.provider !== "google") throw new Error("not a key of Google's");
  return key;
}

const nameOf = ({ resourceName, generatedResourceName }: Record<string, unknown>) =>
  textOf(resourceName)?.trim() || textOf(generatedResourceName)?.trim() || null;

async function listed(api: GoogleApi, { path, field }: { path: string; field: string }) {
  const all: Record<string, unknown>[] = [];
  let pageToken: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { body } = await api({ kind: "read_directory", path, query: { maxResults: A_PAGE, pageToken } });
    for (const one of listOf(body[field])) all.push(one);
    pageToken = textOf(body.nextPageToken);
    if (!pageToken) return all;
  }
  throw down("too_many_resources");
}
