import type { Caller } from "./callers";
import { badRequest, knownErrors, type WireResponse } from "./errors";
import { split, unquoted } from "./filter";
import { defaultProperties, userProperties, userView } from "./me";
import { collection, selected, selection } from "./odata";
import { jsonBody, type WireRequest } from "./request";
import { type Account, sameAddress, type World } from "./state";

/** Pages "List users" and "List places": 100 by default. */
const PAGE = 100;
/** "You can check up to a maximum of 20 groups per request." */
const MOST_GROUPS = 20;

/** GET /users: the users of the tenant, rooms among them. */
export function listUsers(world: World, { tid }: Caller, request: WireRequest): WireResponse {
  const names = selection(request.query, userProperties, "microsoft.graph.user") ?? defaultProperties;
  const views = world.accounts.filter((one) => one.tid === tid).map((one) => userView(one));
  const all = filtered(views, request.query, "User").map((view) => selected(view, names));
  return collection(world, request, "users", all, PAGE);
}

/** GET /groups. */
export function listGroups(world: World, { tid }: Caller, request: WireRequest): WireResponse {
  const names = selection(request.query, ["id", "mail", "displayName"], "microsoft.graph.group");
  const views = world.groups
    .filter((one) => one.tid === tid)
    .map(({ id, email }) => ({ id, mail: email, displayName: email.split("@")[0] }));
  const all = filtered(views, request.query, "Group").map((view) => selected(view, names));
  return collection(world, request, "groups", all, PAGE);
}

/** POST /users/{id}/checkMemberGroups: those of the groups that the user is in. */
export function checkMemberGroups(world: World, account: Account, request: WireRequest): WireResponse {
  const { groupIds } = jsonBody(request);
  if (!Array.isArray(groupIds) || groupIds.length > MOST_GROUPS) {
    // [K].
    throw badRequest("Request_BadRequest", "Invalid value specified for property 'groupIds' of resource 'User'.");
  }
  const own = [account.email, ...account.aliases];
  const isIn = (members: string[]) => members.some((member) => own.some((one) => sameAddress(one, member)));
  const found = world.groups.filter(({ tid, members }) => tid === account.tid && isIn(members)).map(({ id }) => id);
  const context = `${world.origin}/v1.0/$metadata#Collection(Edm.String)`;
  return { status: 200, body: { "@odata.context": context, value: groupIds.filter((id) => found.includes(id)) } };
}

/** The properties of type Room that the fake knows. */
function placeView({ name, email, room }: Account) {
  if (!room) return [];
  const { placeId: id, capacity, building, floorLabel } = room;
  return [{ id, displayName: name, emailAddress: email, capacity, building, floorLabel, floorNumber: null }];
}

/** GET /places/microsoft.graph.room. */
export function listRooms(world: World, { tid }: Caller, request: WireRequest): WireResponse {
  const all = world.accounts.filter((one) => one.tid === tid).flatMap(placeView);
  const response = collection(world, request, "places/microsoft.graph.room", all, PAGE);
  if (world.knobs.linksRooms) return response;
  const { "@odata.nextLink": _, ...body } = response.body as Record<string, unknown>;
  return { ...response, body };
}

/** GET /places/{id}: "id or emailAddress". */
export function getPlace(world: World, { tid }: Caller, key: string): WireResponse {
  const places = world.accounts.filter((one) => one.tid === tid).flatMap(placeView);
  const found = places.find(({ id, emailAddress }) => sameAddress(id, key) || sameAddress(emailAddress, key));
  if (!found) throw knownErrors.itemNotFound();
  const context = `${world.origin}/v1.0/$metadata#places/$entity`;
  return { status: 200, body: { "@odata.context": context, "@odata.type": "#microsoft.graph.room", ...found } };
}

/** The resources that $filter selects: equality of a property or of one in a list, joined by `or`. */
function filtered<T extends object>(all: T[], query: URLSearchParams, type: string): T[] {
  const filter = query.get("$filter");
  if (filter === null) return all;
  const terms = split(filter, " or ").map((term) => termOf(term.trim(), type));
  return all.filter((one) => terms.some((meets) => meets(one as Record<string, unknown>)));
}

/** [K]: the directory compares without regard to case. The text: microsoft-graph-docs#14485. */
function termOf(term: string, type: string): (one: Record<string, unknown>) => boolean {
  const [, list, , inList] = /^(\w+)\/any\((\w+): ?\2 eq ('(?:[^']|'')*')\)$/i.exec(term) ?? [];
  const [, property, value] = /^(\w+) eq ('(?:[^']|'')*')$/i.exec(term) ?? [];
  const name = ["userPrincipalName", "mail", "id", "proxyAddresses"].find((one) => one === (list ?? property));
  if (name === undefined || (name === "proxyAddresses") !== (list !== undefined)) {
    const asked = /^\w+/.exec(term)?.[0] ?? "";
    const text = `Unsupported or invalid query filter clause specified for property '${asked}' of resource '${type}'.`;
    throw badRequest("Request_UnsupportedQuery", text);
  }
  const wanted = unquoted(inList ?? value ?? "");
  return (one) => [one[name]].flat().some((found) => sameAddress(String(found), wanted));
}
