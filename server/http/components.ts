import { z } from "zod";
import type { Vocabulary } from "@/server/domain/wire-names";
import { issueKeys } from "@/server/http/error-keys";
import { accountAnswer, userinfoAnswer } from "@/server/services/account-answer";
import { applicationCalendarBody } from "@/server/services/application-calendars/open";
import {
  channelAnswer,
  channelsAnswer,
  notificationShape,
  openedChannelAnswer,
  unknownChannelAnswer,
} from "@/server/services/channels/answer";
import { channelBody } from "@/server/services/channels/open";
import { authorizeQuery } from "@/server/services/connect/query-shape";
import { occurrenceBody } from "@/server/services/events/change-occurrence";
import { deleteBody } from "@/server/services/events/delete";
import { momentShape } from "@/server/services/events/moment";
import { recurrenceRule, recurrenceShape } from "@/server/services/events/recurrence-shape";
import { guestLists } from "@/server/services/events/write/guests-field";
import { eventBody } from "@/server/services/events/write/input";
import {
  applicationCalendarAnswer,
  linkingProfileAnswer,
  oauthErrorAnswer,
  tokenAnswer,
} from "@/server/services/grants/answer";
import { revokeBody } from "@/server/services/grants/revoke";
import { tokenShape } from "@/server/services/grants/token";
import { linkTokenAnswer } from "@/server/services/link-tokens";
import { calendarAnswer, calendarsAnswer, profileAnswer, profilesAnswer } from "@/server/services/profiles/answer";
import { freeBusyAnswer, pagesAnswer, periodAnswer } from "@/server/services/reads/answer";
import { attendeeAnswer, eventAnswer, eventsAnswer } from "@/server/services/reads/events/answer";
import { cursorQuery, eventsQuery, freeBusyQuery } from "@/server/services/reads/input";

const errorKey = z.enum(issueKeys);
const issue = z.object({
  key: errorKey,
  description: z.string().describe("For humans; worded differently in compatibility mode. Match on `key` instead."),
});

/** Every schema that the OpenAPI document names, as the zod schemas that stand beside the services. `offered`: names of providers. */
export function components(names: Vocabulary, offered: readonly string[]) {
  const profile = profileAnswer(names);
  const linkingProfile = linkingProfileAnswer(names);
  const event = eventAnswer(names);
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
    TokenResponse: tokenAnswer(linkingProfile),
    ApplicationCalendarResponse: applicationCalendarAnswer(linkingProfile),
    LinkingProfile: linkingProfile,
    LinkTokenResponse: linkTokenAnswer,
    AccountResponse: accountAnswer,
    Account: accountAnswer.shape.account,
    Userinfo: userinfoAnswer({ names, compatibilityMode: false, profile }),
    CompatibilityUserinfo: userinfoAnswer({ names, compatibilityMode: true, profile }),
    ProfilesResponse: profilesAnswer(profile),
    Profile: profile,
    CalendarsResponse: calendarsAnswer(names),
    Calendar: calendarAnswer,
    Pages: pagesAnswer,
    FreeBusyResponse: freeBusyAnswer,
    FreeBusyPeriod: periodAnswer,
    EventsResponse: eventsAnswer(event),
    Event: event,
    Attendee: attendeeAnswer,
    ChannelResponse: openedChannelAnswer,
    ChannelsResponse: channelsAnswer,
    Channel: channelAnswer,
    UnknownChannel: unknownChannelAnswer,
    Notification: notificationShape,
    Errors: z.object({ errors: z.record(z.string(), z.array(issue).min(1)) }),
    Issue: issue,
    ErrorKey: errorKey,
    OAuthError: oauthErrorAnswer,
  } satisfies Record<string, z.ZodType>;
}

export type ComponentName = keyof ReturnType<typeof components>;
