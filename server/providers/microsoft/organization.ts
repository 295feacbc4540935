import { randomUUID } from "node:crypto";
import { importPKCS8, SignJWT } from "jose";
import { clock } from "@/server/clock";
import type { DelegationKey, MicrosoftKey } from "@/server/domain/delegations";
import { microsoftVerdicts } from "@/server/domain/provider-responses/microsoft";
import type { EgressFetch } from "@/server/egress/fetch";
import type { AccessToken } from "@/server/providers/access-token";
import { down } from "@/server/providers/ask-json";
import { listOf, textOf } from "@/server/providers/json-values";
import { type GraphApi, graphApi } from "@/server/providers/microsoft/api";
import { tenantToken } from "@/server/providers/microsoft/endpoints";
import type {
  FoundMailbox,
  MailboxProblem,
  MailboxQuestion,
  Organization,
  Room,
} from "@/server/providers/organization";
import { refusedAs } from "@/server/providers/refused-as";
import { isRefusal, tokenIssuer, tokenOf } from "@/server/providers/token-endpoint";

/** The application permissions that an administrator consents to. */
export const APPLICATION_PERMISSIONS = [
  "Calendars.ReadWrite",
  "MailboxSettings.Read",
  "User.Read.All",
  "GroupMember.Read.All",
  "Place.Read.All",
];

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const ASSERTION_S = 600;
/** Everything that an administrator has consented to ("scope", client credentials flow). */
const SCOPE = "https://graph.microsoft.com/.default";
const A_PAGE = 100;
const MOST_PAGES = 50;

export interface OrganizationInput {
  /** An origin in the place of Microsoft's hosts. Null: Microsoft's own. */
  origin: string | null;
  /** The address of Graph. */
  graph: string;
  fetch: EgressFetch;
  /** Requests access tokens. */
  signInFetch: EgressFetch;
}

/** Opens mailboxes by application permissions ("OAuth 2.0 client credentials flow on the Microsoft identity platform"). */
export function microsoftOrganization({ origin, graph, fetch, signInFetch }: OrganizationInput): Organization {
  const issue = async (key: MicrosoftKey): Promise<AccessToken> => {
    const url = tenantToken(origin, key.tenant);
    const client = { client_id: key.clientId, ...(await proofOf(key)) };
    const issuer = tokenIssuer({ fetch: signInFetch, url, client, rows: microsoftVerdicts });
    const outcome = await issuer("act_for_user", { grant_type: "client_credentials", scope: SCOPE });
    if (isRefusal(outcome)) throw outcome.refusal;
    return tokenOf(outcome);
  };

  const directory = ({ text }: AccessToken) => graphApi(fetch, graph, { accessToken: async () => text });

  const person = async (
    api: GraphApi,
    { tenant, email, group }: MailboxQuestion & { tenant: string },
  ): Promise<Found | MailboxProblem> => {
    const user = await userOf(api, email);
    const id = textOf(user?.id)?.toLowerCase();
    if (!user || !id) return { problem: "unknown_mailbox" };
    const address = (textOf(user.mail) || textOf(user.userPrincipalName) || email).toLowerCase();
    if (user.accountEnabled === false && !(await isRoom(api, address))) return { problem: "suspended" };
    if (group !== null) {
      const query = { $filter: `mail eq '${quoted(group)}'`, $select: "id" };
      const groups = await api({ kind: "read_directory", path: "/groups", query });
      const groupId = textOf(listOf(groups.body.value)[0]?.id);
      if (!groupId) return { problem: "no_such_group" };
      const path = `/users/${id}/checkMemberGroups`;
      const asked = await api({ kind: "read_directory", method: "POST", path, body: { groupIds: [groupId] } });
      const isMember = Array.isArray(asked.body.value) && asked.body.value.includes(groupId);
      if (!isMember) return { problem: "not_in_group" };
    }
    const fullName = textOf(user.displayName)?.trim() || null;
    return { subject: `${tenant}.${id}`, name: address, fullName, email: address, user: id, room: null };
  };

  return {
    token: (key) => issue(microsoftKey(key)),
    prove: async (key) => {
      await issue(microsoftKey(key));
    },
    find: async (given, asked) => {
      const key = microsoftKey(given);
      const token = await refusedAs("key", () => issue(key));
      if ("problem" in token) return token;
      const { tenant } = key;
      const found = await refusedAs("directory", () => person(directory(token), { tenant, ...asked }));
      return "problem" in found ? found : { ...found, token };
    },
    rooms: async (key) => {
      const rooms = await roomsOf(directory(await issue(microsoftKey(key))));
      return rooms.flatMap(({ emailAddress, displayName, capacity, building }): Room[] => {
        const email = textOf(emailAddress)?.toLowerCase();
        if (!email) return [];
        const seats = typeof capacity === "number" ? capacity : null;
        const name = textOf(displayName)?.trim() || email;
        return [{ email, name, capacity: seats, building: textOf(building)?.trim() || null }];
      });
    },
  };
}

type Found = Omit<FoundMailbox, "token">;

function microsoftKey(key: DelegationKey): MicrosoftKey {
  if (key.provider !== "microsoft") throw new Error("not a key of Microsoft's");
  return key;
}

/** Proves the app with its secret, or with an assertion signed by its certificate ("Microsoft identity platform application authentication certificate credentials"). */
async function proofOf({ tenant, clientId, proof }: MicrosoftKey): Promise<Record<string, string>> {
  if ("secret" in proof) return { client_secret: proof.secret };
  const now = Math.floor(clock().now() / 1_000);
  const assertion = await new SignJWT({})
    .setProtectedHeader({ alg: "PS256", typ: "JWT", "x5t#S256": proof.thumbprint })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(tenantToken(null, tenant))
    .setJti(randomUUID())
    .setNotBefore(now)
    .setIssuedAt(now)
    .setExpirationTime(now + ASSERTION_S)
    .sign(await importPKCS8(proof.privateKey, "PS256"));
  return { client_assertion_type: ASSERTION_TYPE, client_assertion: assertion };
}

const fields = "id,mail,userPrincipalName,displayName,accountEnabled";

/** Finds the user of an address: a name to sign in with, the primary address, or an alias. */
async function userOf(api: GraphApi, email: string): Promise<Record<string, unknown> | undefined> {
  const path = `/users/${encodeURIComponent(email)}`;
  const named = await api({ kind: "read_directory", path, query: { $select: fields }, accepts: ["gone"] });
  if (named.verdict === null) return named.body;
  // Graph refuses some filters that are joined with "or".
  const address = quoted(email);
  for (const $filter of [`mail eq '${address}'`, `proxyAddresses/any(p:p eq 'smtp:${address}')`]) {
    const { body } = await api({ kind: "read_directory", path: "/users", query: { $filter, $select: fields } });
    const [user] = listOf(body.value);
    if (user) return user;
  }
}

/** A quotation mark within a string is doubled (OData 4.01, "ABNF Construction Rules"). */
const quoted = (text: string) => text.replaceAll("'", "''");

/** Tells whether an address is a room's, whose account is disabled, as nobody signs in with it. */
async function isRoom(api: GraphApi, address: string): Promise<boolean> {
  const path = `/places/${encodeURIComponent(address)}`;
  return (await api({ kind: "read_directory", path, accepts: ["gone"] })).verdict === null;
}

/** Lists all rooms. A page may come without a link to the next one. */
async function roomsOf(api: GraphApi): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  let next: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const query = { $top: A_PAGE, $skip: all.length || undefined };
    const asked = next === null ? { path: "/places/microsoft.graph.room", query } : { path: next };
    const { body } = await api({ kind: "read_directory", ...asked });
    const page = listOf(body.value);
    all.push(...page);
    next = textOf(body["@odata.nextLink"]);
    if (!next && page.length < A_PAGE) return all;
  }
  throw down("too_many_rooms");
}
