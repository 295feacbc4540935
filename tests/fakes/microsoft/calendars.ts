import type { Calendar } from "@microsoft/microsoft-graph-types";
import { checkEditable, entryOf } from "./access";
import { badRequest, type WireResponse } from "./errors";
import { collection, selected, selection } from "./odata";
import { jsonBody, type WireRequest } from "./request";
import { type Account, type CalendarRecord, changeKeyOf, type ListEntry, type World } from "./state";

/** Properties of type Calendar in version 1.0. */
const properties = [
  ...[
    "id",
    "name",
    "color",
    "hexColor",
    "isDefaultCalendar",
    "changeKey",
    "canShare",
    "canViewPrivateItems",
    "canEdit",
  ],
  ...["allowedOnlineMeetingProviders", "defaultOnlineMeetingProvider", "isTallyingResponses", "isRemovable", "owner"],
] as const satisfies (keyof Calendar)[];
const TYPE = "Microsoft.OutlookServices.Calendar";
const colors: (CalendarRecord["color"] & string)[] = [
  ...(["auto", "lightBlue", "lightGreen", "lightOrange", "lightGray", "lightYellow"] as const),
  ...(["lightTeal", "lightPink", "lightBrown", "lightRed", "maxColor"] as const),
];

/** A calendar as it is sent to this account: sample of "List calendars". */
function viewOf(account: Account, { calendar, canEdit, name }: ListEntry): Calendar {
  const isOwn = calendar.owner === account;
  return {
    id: calendar.id,
    name: name ?? calendar.name,
    color: calendar.color,
    hexColor: calendar.hexColor,
    isDefaultCalendar: calendar.isDefault && isOwn,
    changeKey: changeKeyOf(calendar.version),
    // "Only the user who created the calendar can share it."
    canShare: isOwn,
    canViewPrivateItems: isOwn,
    canEdit,
    allowedOnlineMeetingProviders: calendar.providers,
    defaultOnlineMeetingProvider: calendar.defaultProvider,
    // "Only meeting invites sent from users' primary calendars support tracking of meeting responses."
    isTallyingResponses: calendar.isDefault,
    isRemovable: !(calendar.isDefault && isOwn),
    owner: { name: calendar.owner.name, address: calendar.owner.email },
  };
}

/** GET /me/calendars. */
export function listCalendars(world: World, account: Account, request: WireRequest): WireResponse {
  // 404 for an account without a mailbox.
  entryOf(account, "");
  const names = selection(request.query, properties, TYPE);
  const all = account.list.map((entry) => selected(viewOf(account, entry), names));
  return collection(world, request, `users('${account.oid}')/calendars`, all);
}

/** GET of one calendar; "" is the default one. */
export function getCalendar(world: World, account: Account, request: WireRequest, id: string): WireResponse {
  const names = selection(request.query, properties, TYPE);
  const context = `${world.origin}/v1.0/$metadata#users('${account.oid}')/calendars/$entity`;
  return {
    status: 200,
    body: { "@odata.context": context, ...selected(viewOf(account, entryOf(account, id)), names) },
  };
}

/** PATCH of a calendar: page "Update calendar" lets name, color and isDefaultCalendar be written. */
export function updateCalendar(world: World, account: Account, request: WireRequest, id: string): WireResponse {
  const { calendar } = entryOf(account, id);
  checkEditable(account, calendar);
  const { name, color } = jsonBody(request);
  if (color !== undefined) {
    const known = colors.find((one) => one === color);
    if (!known) throw badRequest("RequestBodyRead", `Requested value '${color}' was not found.`);
    calendar.color = known;
  }
  if (typeof name === "string") calendar.name = name;
  calendar.version = world.nextVersion();
  return getCalendar(world, account, request, id);
}
