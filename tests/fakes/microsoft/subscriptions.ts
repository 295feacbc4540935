import { randomUUID } from "node:crypto";
import type { ChangeNotification, LifecycleEventType } from "@microsoft/microsoft-graph-types";
import type { Caller } from "./callers";
import { badRequest, knownErrors, type WireResponse } from "./errors";
import { shownId } from "./ids";
import { userIdOf } from "./me";
import type { NoticeQueue } from "./notices";
import { jsonBody, preferences, type WireRequest } from "./request";
import { type Account, type CalendarRecord, type Change, etagOf, type World } from "./state";
import { checkedInput, expirationOf, validated } from "./subscription-checks";

export interface SubscriptionRecord {
  id: string;
  account: Account;
  /** The calendar whose events are watched; undefined for all of the mailbox. */
  calendar?: CalendarRecord;
  resource: string;
  changeTypes: Change["type"][];
  notificationUrl: string;
  lifecycleNotificationUrl: string | null;
  clientState: string | null;
  expiration: number;
  immutableIds: boolean;
  applicationId: string;
  /** "If the app used delegated permissions, this field contains the ID of the signed-in user", else that of the service principal. */
  creatorId: string;
  /** Change notifications pause until it is reauthorized. */
  paused: boolean;
  /** It was deleted, removed, or has expired. */
  ended: boolean;
}

/** The subscriptions of all accounts, for tests. */
export interface Subscriptions {
  all: SubscriptionRecord[];
  /** Those that still notify. */
  active(): SubscriptionRecord[];
  /** Graph wants a subscription to be reauthorized: it says so, and pauses unless told otherwise. */
  requireReauthorization(id: string, pauses?: boolean): void;
  /** Graph removes a subscription, and says so unless told otherwise. */
  remove(id: string, isSaid?: boolean): void;
  /** Graph says that notifications were missed. */
  sayMissed(id: string): void;
}

export interface SubscriptionStore extends Subscriptions {
  create(caller: Caller, request: WireRequest): Promise<WireResponse>;
  update(caller: Caller, id: string, request: WireRequest): WireResponse;
  reauthorize(caller: Caller, id: string): WireResponse;
  drop(caller: Caller, id: string): WireResponse;
  get(caller: Caller, id: string): WireResponse;
  list(caller: Caller): WireResponse;
  /** Notifies the subscriptions that watch what changed. */
  notify(change: Change): void;
}

/** "There is a maximum limit of 1000 active subscriptions for Outlook resources per mailbox for all applications." */
const MOST = 1000;

export function subscriptionStore(world: World, notices: NoticeQueue): SubscriptionStore {
  const all: SubscriptionRecord[] = [];
  const isActive = (one: SubscriptionRecord) => !one.ended && one.expiration > world.now();
  const active = () => all.filter(isActive);

  function owned(caller: Caller, id: string): SubscriptionRecord {
    const found = active().find((one) => one.id === id && one.creatorId === caller.id);
    if (!found) throw knownErrors.itemNotFound();
    return found;
  }

  function named(id: string): SubscriptionRecord {
    const found = all.find((one) => one.id === id);
    if (!found) throw new Error(`The fake has no subscription ${id}.`);
    return found;
  }

  function sayLifecycle(one: SubscriptionRecord, lifecycleEvent: LifecycleEventType): void {
    // "Existing subscriptions without a lifecycleNotificationUrl property don't receive the lifecycle notifications."
    if (one.lifecycleNotificationUrl === null) return;
    notices.send({ url: one.lifecycleNotificationUrl, value: { ...frameOf(one), lifecycleEvent } });
  }

  return {
    all,
    active,
    async create(caller, request) {
      const body = jsonBody(request);
      const input = checkedInput(world, caller, body);
      if (active().filter((one) => one.account === input.account).length >= MOST) {
        throw badRequest(
          "ExtensionError",
          "Operation: Create; Exception: [Status Code: Forbidden; Reason: subscription limit reached]",
        );
      }
      await validated([input.notificationUrl, input.lifecycleNotificationUrl]);
      const { immutableIds } = preferences(request);
      const record = {
        id: randomUUID(),
        ...input,
        immutableIds,
        applicationId: caller.clientId,
        creatorId: caller.id,
        paused: false,
        ended: false,
      };
      all.push(record);
      return { status: 201, body: shown(world, record) };
    },
    update(caller, id, request) {
      const record = owned(caller, id);
      const { expirationDateTime, ...rest } = jsonBody(request);
      // "You also can't add the lifecycleNotificationUrl property to an existing subscription by updating the subscription." [K]: 400.
      if (Object.keys(rest).some((name) => name !== "notificationUrl")) {
        throw badRequest("InvalidRequest", "Only expirationDateTime and notificationUrl can be updated.");
      }
      record.expiration = expirationOf(world, expirationDateTime);
      // "renewing your subscription also reauthorizes your endpoint".
      record.paused = false;
      return { status: 200, body: shown(world, record) };
    },
    reauthorize(caller, id) {
      owned(caller, id).paused = false;
      return { status: 204 };
    },
    drop(caller, id) {
      owned(caller, id).ended = true;
      return { status: 204 };
    },
    get: (caller, id) => ({ status: 200, body: shown(world, owned(caller, id)) }),
    list: (caller) => {
      const value = active().filter((one) => one.creatorId === caller.id);
      const context = `${world.origin}/v1.0/$metadata#subscriptions`;
      return { status: 200, body: { "@odata.context": context, value: value.map((one) => shown(world, one)) } };
    },
    notify(change) {
      for (const one of active()) {
        const isWatched = one.calendar ? one.calendar === change.calendar : one.account === change.calendar.owner;
        if (!isWatched || one.paused || !one.changeTypes.includes(change.type)) continue;
        notices.send({ url: one.notificationUrl, value: notificationOf(one, change) });
      }
    },
    requireReauthorization(id, pauses = true) {
      const one = named(id);
      one.paused = pauses;
      sayLifecycle(one, "reauthorizationRequired");
    },
    remove(id, isSaid = true) {
      const one = named(id);
      one.ended = true;
      if (isSaid) sayLifecycle(one, "subscriptionRemoved");
    },
    sayMissed: (id) => sayLifecycle(named(id), "missed"),
  };
}

function frameOf({ id, expiration, clientState, account }: SubscriptionRecord): ChangeNotification {
  return {
    subscriptionId: id,
    subscriptionExpirationDateTime: new Date(expiration).toISOString(),
    ...(clientState !== null && { clientState }),
    tenantId: account.tid,
  };
}

/**
 * Sample of "Receive notification payloads". A change of an occurrence is a change of its series: [R microsoft-graph-docs#5520] "Removal of a
 * recurring event instance causes only update notification on the SeriesMaster event".
 */
function notificationOf(one: SubscriptionRecord, { type, event }: Change): ChangeNotification {
  const id = shownId(event, one.immutableIds);
  const path = `Users/${userIdOf(one.account)}/Events/${id}`;
  const resourceData = {
    "@odata.type": "#Microsoft.Graph.Event",
    "@odata.id": path,
    "@odata.etag": etagOf(event.version),
    id,
  };
  return { ...frameOf(one), changeType: type, resource: path, resourceData };
}

/** Sample of "Create subscription". */
function shown(world: World, one: SubscriptionRecord): object {
  return {
    "@odata.context": `${world.origin}/v1.0/$metadata#subscriptions/$entity`,
    id: one.id,
    resource: one.resource,
    applicationId: one.applicationId,
    changeType: one.changeTypes.join(","),
    clientState: one.clientState,
    notificationUrl: one.notificationUrl,
    lifecycleNotificationUrl: one.lifecycleNotificationUrl,
    expirationDateTime: new Date(one.expiration).toISOString(),
    creatorId: one.creatorId,
    includeResourceData: null,
    latestSupportedTlsVersion: "v1_2",
  };
}
