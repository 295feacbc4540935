import { z } from "zod";
import type { Vocabulary } from "@/server/domain/wire-names";
import { issueKeys } from "@/server/http/error-keys";
import { accountShape, userinfoShape } from "@/server/services/account-shape";
import { applicationCalendarBody } from "@/server/services/application-calendars/open";
import { channelBody } from "@/server/services/channels/open";
import {
  channelShape,
  channelsShape,
  notificationShape,
  openedChannelShape,
  testEventShape,
  unknownChannelShape,
} from "@/server/services/channels/response-shape";
import { authorizeQuery } from "@/server/services/connect/query-shape";
import { occurrenceBody } from "@/server/services/events/change-occurrence";
import { deleteBody } from "@/server/services/events/delete";
import { momentShape } from "@/server/services/events/moment";
import { recurrenceRule, recurrenceShape } from "@/server/services/events/recurrence-shape";
import { guestLists } from "@/server/services/events/write/guests-field";
import { eventBody } from "@/server/services/events/write/input";
import {
  applicationCalendarShape,
  linkingProfileShape,
  oauthErrorShape,
  tokenResponseShape,
} from "@/server/services/grants/response-shape";
import { revokeBody } from "@/server/services/grants/revoke";
import { tokenShape } from "@/server/services/grants/token";
import { linkTokenShape } from "@/server/services/link-tokens";
import { calendarShape, calendarsShape, profileShape, profilesShape } from "@/server/services/profiles/response-shape";
import { attendeeShape, eventShape, eventsShape } from "@/server/services/reads/events/response-shape";
import { cursorQuery, eventsQuery, freeBusyQuery } from "@/server/services/reads/input";
import { freeBusyShape, pagesShape, periodShape } from "@/server/services/reads/response-shape";
import { sandboxChangeBody } from "@/server/services/sandbox/change-shape";

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
  const linkingProfile = linkingProfileShape(names);
  const event = eventShape(names);
  return {
    AuthorizeQuery: authorizeQuery(names, offered),
    TokenRequest: tokenShape,
    RevokeRequest: revokeBody,
    ApplicationCalendarRequest: applicationCalendarBody,
    FreeBusyQuery: freeBusyQuery,
    EventsQuery: eventsQuery,
    CursorQuery: cursorQuery,
    EventWrite: eventBody,
    EventDelete: deleteBody,
    OccurrenceWrite: occurrenceBody,
    EventTime: momentShape,
    GuestChange: guestLists,
    Recurrence: recurrenceShape,
    RecurrenceRule: recurrenceRule,
    ChannelRequest: channelBody([]),
    SandboxChange: sandboxChangeBody,
    TokenResponse: tokenResponseShape(linkingProfile),
    ApplicationCalendarResponse: applicationCalendarShape(linkingProfile),
    LinkingProfile: linkingProfile,
    LinkTokenResponse: linkTokenShape,
    AccountResponse: accountShape,
    Account: accountShape.shape.account,
    Userinfo: userinfoShape({ names, compatibilityMode: false, profile }),
    CompatibilityUserinfo: userinfoShape({ names, compatibilityMode: true, profile }),
    ProfilesResponse: profilesShape(profile),
    Profile: profile,
    CalendarsResponse: calendarsShape(names),
    Calendar: calendarShape,
    Pages: pagesShape,
    FreeBusyResponse: freeBusyShape,
    FreeBusyPeriod: periodShape,
    EventsResponse: eventsShape(event),
    Event: event,
    Attendee: attendeeShape,
    ChannelResponse: openedChannelShape,
    ChannelsResponse: channelsShape,
    TestEvent: testEventShape,
    Channel: channelShape,
    UnknownChannel: unknownChannelShape,
    Forbidden: z.object({ error: z.literal("forbidden"), description: z.string() }),
    Notification: notificationShape,
    Errors: z.object({ errors: z.record(z.string(), z.array(issue).min(1)) }),
    Issue: issue,
    ErrorKey: errorKey,
    OAuthError: oauthErrorShape,
  } satisfies Record<string, z.ZodType>;
}

export type ComponentName = keyof ReturnType<typeof components>;
