import { z } from "zod";
import type { Vocabulary } from "@/server/domain/wire-names";
import { issueKeys } from "@/server/http/error-keys";
import { accountShape, userinfoShape } from "@/server/services/account-shape";
import { applicationCalendarBody } from "@/server/services/application-calendars/open";
import {
  availabilityBody,
  availabilityGroup,
  availabilityMember,
  workingHoursShape,
} from "@/server/services/availability/body";
import { availabilityPeriod } from "@/server/services/availability/fields";
import { availabilityShape, problemShape } from "@/server/services/availability/response-shape";
import { batchBody, batchEntry, batchOutcome, batchShape } from "@/server/services/batch/shape";
import { bookingBody, requiredFree } from "@/server/services/bookings/body";
import { bookingShape, conflictsShape, unreachableShape } from "@/server/services/bookings/response-shape";
import { changesQuery } from "@/server/services/changes/list";
import { changeShape, changesShape, listedChangeShape } from "@/server/services/changes/response-shape";
import { channelBody } from "@/server/services/channels/open";
import {
  channelShape,
  channelsShape,
  notificationShape,
  openedChannelShape,
  testEventShape,
  unknownChannelShape,
} from "@/server/services/channels/response-shape";
import { deliveryBody, deliveryShape } from "@/server/services/channels/set-delivery";
import { authorizeQuery } from "@/server/services/connect/query-shape";
import { occurrenceBody } from "@/server/services/events/change-occurrence";
import { deleteBody } from "@/server/services/events/delete";
import { deleteManyBody } from "@/server/services/events/delete-many";
import { momentShape } from "@/server/services/events/moment";
import { recurrenceRule, recurrenceShape } from "@/server/services/events/recurrence-shape";
import { guestLists } from "@/server/services/events/write/guests-field";
import { eventBody } from "@/server/services/events/write/input";
import { createdFeedShape, feedBody, feedShape, feedsShape } from "@/server/services/feeds/shape";
import {
  applicationCalendarShape,
  linkingProfileShape,
  oauthErrorShape,
  tokenResponseShape,
} from "@/server/services/grants/response-shape";
import { revokeBody } from "@/server/services/grants/revoke";
import { tokenShape } from "@/server/services/grants/token";
import { linkTokenShape } from "@/server/services/link-tokens";
import { changedEventQuery, namedEventQuery } from "@/server/services/named-events/input";
import { eventPatch } from "@/server/services/named-events/patch-body";
import { participationBody } from "@/server/services/named-events/reply";
import {
  authorizationEntry,
  authorizationList,
  resourceShape,
  resourcesShape,
} from "@/server/services/organizations/shape";
import { importBody } from "@/server/services/profiles/import";
import { reconnectLinkBody, reconnectLinkShape } from "@/server/services/profiles/reconnect-link";
import { calendarShape, calendarsShape, profileShape, profilesShape } from "@/server/services/profiles/response-shape";
import { profileStatusShape, reasonShape } from "@/server/services/profiles/status-shape";
import { attendeeShape, eventShape, eventsShape, namedEventShape } from "@/server/services/reads/events/response-shape";
import { cursorQuery, eventsQuery, freeBusyQuery } from "@/server/services/reads/input";
import { freeBusyShape, pagesShape, periodShape } from "@/server/services/reads/response-shape";
import { registeredClientShape, registrationBody, registrationErrorShape } from "@/server/services/registration/shape";
import { sandboxChangeBody } from "@/server/services/sandbox/change-shape";
import {
  createdSubscriptionShape,
  subscriptionBody,
  subscriptionShape,
  subscriptionsShape,
} from "@/server/services/subscriptions/shape";
import { createdTriggerShape, triggerBody, triggerShape, triggersShape } from "@/server/services/triggers/shape";
import { writesQuery } from "@/server/services/writes/input";
import { receiptShape, writeShape, writesShape } from "@/server/services/writes/response-shape";

const errorKey = z.enum(issueKeys);
const issue = z.object({
  key: errorKey,
  description: z.string().describe("For humans; worded differently in compatibility mode. Match on `key` instead."),
});

/**
 * Returns every schema that the OpenAPI document names, as the zod schemas that stand beside the services. `offered`:
 * names of providers.
 */
export function components(names: Vocabulary, offered: readonly string[]) {
  const profile = profileShape(names);
  const authorization = authorizationEntry([]);
  const linkingProfile = linkingProfileShape(names);
  const event = eventShape(names);
  const listedChange = listedChangeShape(event);
  return {
    AuthorizeQuery: authorizeQuery(names, offered),
    TokenRequest: tokenShape,
    RevokeRequest: revokeBody,
    RegistrationRequest: registrationBody,
    RegisteredClient: registeredClientShape,
    ApplicationCalendarRequest: applicationCalendarBody,
    FreeBusyQuery: freeBusyQuery,
    EventsQuery: eventsQuery,
    CursorQuery: cursorQuery,
    ChangesQuery: changesQuery,
    AvailabilityRequest: availabilityBody,
    AvailabilityGroup: availabilityGroup,
    AvailabilityMember: availabilityMember,
    AvailabilityPeriod: availabilityPeriod,
    WorkingHours: workingHoursShape,
    AvailabilityResponse: availabilityShape,
    AvailabilityProblem: problemShape,
    BookingRequest: bookingBody,
    RequiredFree: requiredFree,
    BookingResponse: bookingShape,
    BookingConflicts: conflictsShape,
    Unreachable: unreachableShape,
    Conflict: z.object({ error: z.literal("conflict"), description: z.string() }),
    WritesQuery: writesQuery,
    NamedEventQuery: namedEventQuery,
    ChangedEventQuery: changedEventQuery,
    EventPatch: eventPatch,
    ParticipationStatus: participationBody,
    BatchRequest: batchBody,
    BatchEntry: batchEntry,
    BatchResponse: batchShape,
    BatchOutcome: batchOutcome,
    EventsDelete: deleteManyBody,
    EventWrite: eventBody,
    EventDelete: deleteBody,
    OccurrenceWrite: occurrenceBody,
    EventTime: momentShape,
    GuestChange: guestLists,
    Recurrence: recurrenceShape,
    RecurrenceRule: recurrenceRule,
    ChannelRequest: channelBody([]),
    DeliverySettings: deliveryBody,
    DeliverySettingsResponse: deliveryShape,
    SubscriptionRequest: subscriptionBody([]),
    SubscriptionResponse: createdSubscriptionShape,
    SubscriptionsResponse: subscriptionsShape,
    Subscription: subscriptionShape,
    TriggerRequest: triggerBody([]),
    TriggerResponse: createdTriggerShape,
    TriggersResponse: triggersShape,
    Trigger: triggerShape,
    FeedRequest: feedBody,
    FeedResponse: createdFeedShape,
    FeedsResponse: feedsShape,
    Feed: feedShape,
    ReconnectLinkRequest: reconnectLinkBody,
    ImportRequest: importBody,
    ServiceAccountAuthorizationsRequest: z.union([authorization, authorizationList([])]),
    ServiceAccountAuthorization: authorization,
    ResourcesResponse: resourcesShape,
    Resource: resourceShape,
    SandboxChange: sandboxChangeBody,
    TokenResponse: tokenResponseShape(linkingProfile),
    ApplicationCalendarResponse: applicationCalendarShape(linkingProfile),
    LinkingProfile: linkingProfile,
    LinkTokenResponse: linkTokenShape,
    ReconnectLinkResponse: reconnectLinkShape,
    AccountResponse: accountShape,
    Account: accountShape.shape.account,
    Userinfo: userinfoShape({ names, compatibilityMode: false, profile }),
    CompatibilityUserinfo: userinfoShape({ names, compatibilityMode: true, profile }),
    ProfilesResponse: profilesShape(profile),
    Profile: profile,
    ProfileStatus: profileStatusShape,
    Reason: reasonShape,
    CalendarsResponse: calendarsShape(names),
    Calendar: calendarShape,
    Pages: pagesShape,
    FreeBusyResponse: freeBusyShape,
    FreeBusyPeriod: periodShape,
    ChangesResponse: changesShape(listedChange),
    Change: changeShape,
    ListedChange: listedChange,
    EventsResponse: eventsShape(event),
    Event: event,
    NamedEvent: namedEventShape(names),
    Attendee: attendeeShape,
    Receipt: receiptShape,
    WritesResponse: writesShape,
    Write: writeShape,
    ChannelResponse: openedChannelShape,
    ChannelsResponse: channelsShape,
    TestEvent: testEventShape,
    Channel: channelShape,
    UnknownChannel: unknownChannelShape,
    Forbidden: z.object({ error: z.literal("forbidden"), description: z.string() }),
    Maintenance: z.object({ error: z.literal("maintenance"), description: z.string() }),
    Notification: notificationShape,
    Errors: z.object({ errors: z.record(z.string(), z.array(issue).min(1)) }),
    Issue: issue,
    ErrorKey: errorKey,
    OAuthError: oauthErrorShape,
    RegistrationError: registrationErrorShape,
  } satisfies Record<string, z.ZodType>;
}

export type ComponentName = keyof ReturnType<typeof components>;
