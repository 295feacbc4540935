import type { FreeBusyStatus } from "@microsoft/microsoft-graph-types";
import { checkEditable } from "./access";
import type { WireResponse } from "./errors";
import { checkRole, dropItem } from "./event-writes";
import { exceptionAt, setException } from "./exceptions";
import { contentOf, type Item } from "./occurrences";
import { jsonBody, type WireRequest } from "./request";
import type { Account, World } from "./state";
import { touch } from "./store";

export const responses = { accept: "accepted", tentativelyAccept: "tentativelyAccepted", decline: "declined" } as const;

/** "event: cancel": 202; "The action moves the event to the Deleted Items folder." */
export function cancelEvent(world: World, account: Account, request: WireRequest, item: Item): WireResponse {
  checkEditable(account, item.event.calendar);
  checkRole(item, "organizer");
  const body = jsonBody(request);
  // The sample writes Comment with a capital.
  const comment = body.comment ?? body.Comment;
  dropItem(world, item, typeof comment === "string" ? comment : undefined);
  return { status: 202 };
}

/** accept, tentativelyAccept and decline: 202. */
export function respond(
  world: World,
  account: Account,
  request: WireRequest,
  item: Item,
  action: keyof typeof responses,
): WireResponse {
  checkEditable(account, item.event.calendar);
  checkRole(item, "guest");
  const { comment, sendResponse } = jsonBody(request);
  const { event, date } = item;
  const kind = responses[action];
  const { subject } = contentOf(item);
  setResponse(world, item, kind);
  if (action === "decline" && !world.knobs.declinedStay) dropItem(world, item);
  // "true if a response is to be sent to the organizer; otherwise, false. Optional. Default is true."
  if (sendResponse === false) return { status: 202 };
  const said = { ...(typeof comment === "string" && { comment }), ...(date !== undefined && { occurrence: date }) };
  const to = event.organizer.emailAddress?.address ?? "";
  world.outbox.push({ to, from: event.calendar.owner.email, kind, eventId: event.id, subject, ...said });
  return { status: 202 };
}

/** [K]: what an own response makes of showAs. */
const shownAs: Record<string, FreeBusyStatus> = {
  accepted: "busy",
  tentativelyAccepted: "tentative",
  declined: "free",
};

function setResponse(world: World, item: Item, response: (typeof responses)[keyof typeof responses]): void {
  const { event, date } = item;
  const responseStatus = { response, time: new Date(world.now()).toISOString() };
  const showAs = shownAs[response] ?? "busy";
  if (date !== undefined) {
    const exception = exceptionAt(event, date);
    setException(world, event, date, { ...exception, own: { ...exception.own, showAs }, responseStatus });
    return;
  }
  event.responseStatus = responseStatus;
  event.content = { ...event.content, showAs };
  touch(world, event);
}
