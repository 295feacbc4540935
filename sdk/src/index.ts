export type { AccountClient } from "./account.js";
export { Almanac, type AlmanacOptions, type AuthorizationUrlInput, type Connection } from "./almanac.js";
export type { Availability } from "./availability.js";
export type { Bookings } from "./bookings.js";
export type { Changes } from "./changes.js";
export type { Channels, NewChannel } from "./channels.js";
export {
  AlmanacError,
  ApiError,
  AuthenticationError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  EventChangedError,
  type FieldIssue,
  NotFoundError,
  OAuthError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnreachableError,
  ValidationError,
} from "./errors.js";
export type { Condition, Events } from "./events.js";
export type { Feeds } from "./feeds.js";
export type { FreeBusy } from "./free-busy.js";
export type {
  Account,
  Attendee,
  AvailabilityGroup,
  AvailabilityMember,
  AvailabilityPeriod,
  AvailabilityProblem,
  AvailabilityRequest,
  AvailabilityResponse,
  BatchEntry,
  BatchOutcome,
  BookingConflicts,
  BookingRequest,
  BookingResponse,
  Calendar,
  CalendarsResponse,
  Change,
  ChangesResponse,
  Channel,
  ChannelRequest,
  CompatibilityUserinfo,
  DeleteEventByUidQuery,
  DeliverySettings,
  DeliverySettingsResponse,
  ErrorKey,
  Event,
  EventDelete,
  EventPatch,
  EventsDelete,
  EventTime,
  EventWrite,
  Feed,
  FeedRequest,
  FeedResponse,
  FreeBusyPeriod,
  GetEventQuery,
  GuestChange,
  ImportRequest,
  LinkingProfile,
  ListChangesQuery,
  ListEventsQuery,
  ListedChange,
  ListFreeBusyQuery,
  ListWritesQuery,
  NamedEvent,
  OccurrenceWrite,
  ParticipationStatus,
  PatchEventQuery,
  Profile,
  ProfileStatus,
  Reason,
  Receipt,
  ReconnectLinkRequest,
  Recurrence,
  RecurrenceRule,
  ReplyToEventQuery,
  RequiredFree,
  Resource,
  SandboxChange,
  ServiceAccountAuthorization,
  Subscription,
  SubscriptionRequest,
  SubscriptionResponse,
  Trigger,
  TriggerRequest,
  TriggerResponse,
  Userinfo,
  WorkingHours,
  Write,
} from "./generated/openapi.js";
export type { Organizations } from "./organizations.js";
export type { Listed, Page, Paged } from "./paged.js";
export { createPkce, type Pkce } from "./pkce.js";
export type { ResponseInfo } from "./settings.js";
export type { Subscriptions } from "./subscriptions.js";
export type { TaggedEvent } from "./tagged-event.js";
export type { StoredTokens, TokenStore, Tokens } from "./tokens.js";
export type { RequestOptions } from "./transport.js";
export type { Triggers } from "./triggers.js";
export {
  type Authorization,
  type Delivery,
  type DeliveryHeaders,
  type Notification,
  type VerifyInput,
  verifyAuthorization,
  verifyWebhook,
  type WebhookFailure,
  WebhookVerificationError,
} from "./webhooks.js";
