export type { AccountClient } from "./account.js";
export { Almanac, type AlmanacOptions, type AuthorizationUrlInput, type Connection } from "./almanac.js";
export type { Channels, NewChannel } from "./channels.js";
export {
  AlmanacError,
  ApiError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  type FieldIssue,
  NotFoundError,
  OAuthError,
  PermissionError,
  RateLimitError,
  ServerError,
  ValidationError,
} from "./errors.js";
export type { Events } from "./events.js";
export type { FreeBusy } from "./free-busy.js";
export type {
  Account,
  Attendee,
  Calendar,
  CalendarsResponse,
  Channel,
  ChannelRequest,
  CompatibilityUserinfo,
  ErrorKey,
  Event,
  EventDelete,
  EventTime,
  EventWrite,
  FreeBusyPeriod,
  GuestChange,
  LinkingProfile,
  ListEventsQuery,
  ListFreeBusyQuery,
  OccurrenceWrite,
  Profile,
  Recurrence,
  RecurrenceRule,
  SandboxChange,
  Userinfo,
} from "./generated/openapi.js";
export type { Page, Paged } from "./paged.js";
export { createPkce, type Pkce } from "./pkce.js";
export type { ResponseInfo } from "./settings.js";
export type { StoredTokens, TokenStore, Tokens } from "./tokens.js";
export type { RequestOptions } from "./transport.js";
export {
  type Delivery,
  type DeliveryHeaders,
  type Notification,
  type VerifyInput,
  verifyWebhook,
  type WebhookFailure,
  WebhookVerificationError,
} from "./webhooks.js";
