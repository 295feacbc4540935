import { apiError, GoogleError, invalid, knownErrors, type WireResponse } from "./errors";
import { sameAddress } from "./mails";
import { partOf } from "./partial-response";
import { integer, type WireRequest } from "./request";
import { type Account, type CalendarRecord, domainIn, domainOf, etagOf, type Resource, type World } from "./state";

const AUTH = "https://www.googleapis.com/auth/admin.directory";
/** Reference of resources.calendars.list and resources.buildings.list, maxResults: between 1 and 500. */
const LARGEST_PAGE = 500;
const DEFAULT_PAGE = 100;

/** A call of the API by an administrator. */
interface Call {
  world: World;
  /** The domain of the administrator's organization. */
  domain: string;
  query: URLSearchParams;
  /** The decoded parts of the path that vary. */
  keys: string[];
}

interface Method {
  /** One of these is needed. */
  scopes: string[];
  run(call: Call): object;
}

const RESOURCES = "/customer/my_customer/resources";

/** Method and path of each call, and the scopes that it accepts: the reference of the Directory API. */
const methods: [RegExp, Method][] = [
  route("/users/([^/]+)", {
    scopes: [`${AUTH}.user.readonly`, `${AUTH}.user`],
    run: ({ world, domain, keys: [key = ""] }) => userView(userOf(world, domain, key, "userKey")),
  }),
  route("/groups/([^/]+)/hasMember/([^/]+)", {
    scopes: [`${AUTH}.group.member.readonly`, `${AUTH}.group.member`, `${AUTH}.group.readonly`, `${AUTH}.group`],
    run: hasMember,
  }),
  route(`${RESOURCES}/calendars`, {
    scopes: [`${AUTH}.resource.calendar.readonly`, `${AUTH}.resource.calendar`],
    run: ({ world, domain, query }) => {
      const { here, more } = pageOf(roomsOf(world, domain).map(roomView), query);
      return { kind: "admin#directory#resources#calendars#calendarResourcesList", ...more, items: here };
    },
  }),
  route(`${RESOURCES}/buildings`, {
    scopes: [`${AUTH}.resource.calendar.readonly`, `${AUTH}.resource.calendar`],
    run: ({ world, domain, query }) => {
      const names = new Set(roomsOf(world, domain).map(({ resource }) => resource.building));
      const { here, more } = pageOf([...names].map(buildingView), query);
      return { kind: "admin#directory#resources#buildings#buildingsList", ...more, buildings: here };
    },
  }),
];

function route(path: string, rest: Method): [RegExp, Method] {
  return [new RegExp(`^GET /admin/directory/v1${path}$`), rest];
}

/** What the Directory API does with a request; `authorize` returns the account of a valid token and its scopes, or throws. */
export function callDirectory(
  world: World,
  request: WireRequest,
  authorize: () => { account: Account; scopes: string[] },
): WireResponse {
  const { query } = request;
  for (const [pattern, { scopes, run }] of methods) {
    const match = pattern.exec(`${request.method} ${request.url.pathname}`);
    if (!match) continue;
    const { account, scopes: given } = authorize();
    if (!given.some((scope) => scopes.includes(scope))) throw insufficientScopes();
    if (!account.isAdmin) throw notAuthorized();
    const body = run({ world, domain: domainOf(account), query, keys: match.slice(1).map(decodeURIComponent) });
    return { status: 200, body: partOf(body, query.get("fields")) };
  }
  throw knownErrors.notFound();
}

/** The form of Google's newer errors, beside the old one [K]. */
function insufficientScopes(): GoogleError {
  const message = "Request had insufficient authentication scopes.";
  const errors = [{ message: "Insufficient Permission", domain: "global", reason: "insufficientPermissions" }];
  const type = "type.googleapis.com/google.rpc.ErrorInfo";
  const details = [{ "@type": type, reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT", domain: "googleapis.com" }];
  return new GoogleError({
    status: 403,
    headers: { "www-authenticate": 'Bearer realm="https://accounts.google.com/", error="insufficient_scope"' },
    body: { error: { code: 403, message, errors, status: "PERMISSION_DENIED", details } },
  });
}

/** GAM-team/GAM#461: what users get who are no administrators, and administrators who ask about another organization. */
const notAuthorized = () =>
  apiError({ status: 403, reason: "forbidden", message: "Not Authorized to access this resource/api" });

const unknown = (key: string) => apiError({ status: 404, reason: "notFound", message: `Resource Not Found: ${key}` });

/** Parameter userKey: "the user's primary email address, alias email address, or unique user ID". */
function userOf(world: World, domain: string, key: string, parameter: string): Account {
  const found = world.accounts.find(
    (one) => one.sub === key || [one.email, ...one.aliases].some((address) => sameAddress(address, key)),
  );
  if (found && domainOf(found) === domain) return found;
  if (found || (key.includes("@") && domainIn(key) !== domain)) throw notAuthorized();
  throw unknown(parameter);
}

function userView({ sub, email, name, aliases, isAdmin, isSuspended }: Account): object {
  const [givenName = "", ...rest] = name.split(" ");
  return {
    kind: "admin#directory#user",
    id: sub,
    etag: etagOf(0),
    primaryEmail: email,
    name: { givenName, familyName: rest.join(" "), fullName: name },
    isAdmin,
    isDelegatedAdmin: false,
    suspended: isSuspended,
    archived: false,
    ...(aliases.length > 0 && { aliases }),
    // [K]: Google adds this address to each user, and leaves `aliases` out where there is none.
    nonEditableAliases: [`${email}.test-google-a.com`],
    isMailboxSetup: true,
  };
}

/** Reference of members.hasMember: "Membership can be direct or nested". */
function hasMember({ world, domain, keys: [groupKey = "", memberKey = ""] }: Call): object {
  const named = (key: string) => world.groups.find(({ id, email }) => id === key || sameAddress(email, key));
  const group = named(groupKey);
  if (!group || domainIn(group.email) !== domain) throw unknown("groupKey");
  const { email, aliases } = userOf(world, domain, memberKey, "memberKey");
  const holds = (members: string[]): boolean =>
    members.some(
      (member) => [email, ...aliases].some((one) => sameAddress(one, member)) || holds(named(member)?.members ?? []),
    );
  return { isMember: holds(group.members) };
}

type Room = CalendarRecord & { resource: Resource };

function roomsOf(world: World, domain: string): Room[] {
  return [...world.calendars.values()].filter((one): one is Room => one.resource?.domain === domain);
}

/** [K]: administrators choose the ids of buildings. */
const buildingIdOf = (name: string) => name.toLowerCase().replaceAll(/\W+/g, "-");

function roomView({ id: resourceEmail, resource }: Room): object {
  const { id: resourceId, name: resourceName, category: resourceCategory, capacity, building, floor } = resource;
  const buildingId = buildingIdOf(building);
  return {
    kind: "admin#directory#resources#calendars#CalendarResource",
    etags: etagOf(0),
    resourceId,
    resourceName,
    // "For conference rooms, the generated name is built using metadata such as building, floor, capacity".
    generatedResourceName:
      resourceCategory === "OTHER" ? resourceName : `${buildingId}-${floor}-${resourceName} (${capacity})`,
    resourceEmail,
    resourceCategory,
    capacity,
    buildingId,
    floorName: floor,
  };
}

const buildingView = (buildingName: string) => ({
  kind: "admin#directory#resources#buildings#Building",
  etags: etagOf(0),
  buildingId: buildingIdOf(buildingName),
  buildingName,
});

/** A page of a list, and the token of the next one if there is one. */
function pageOf(all: object[], query: URLSearchParams) {
  const size = integer(query, "maxResults", 1) ?? DEFAULT_PAGE;
  if (size > LARGEST_PAGE) throw invalid("Invalid Input: maxResults");
  const token = query.get("pageToken");
  const from = token === null ? 0 : Number(Buffer.from(token, "base64url").toString());
  if (!Number.isInteger(from)) throw invalid("Invalid Input: pageToken");
  const next = from + size;
  const more = next < all.length && { nextPageToken: Buffer.from(String(next)).toString("base64url") };
  return { here: all.slice(from, next), more };
}
