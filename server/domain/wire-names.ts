import type { MeetingService } from "@/server/domain/events/conferencing";
import { type Connectable, offerable, type Provider, type ProviderService } from "@/server/domain/providers";

/** The only place that spells a wire name: the specification's neutral tokens and the products' own (ADR 90). */
const product = {
  prov_a: "google",
  prov_b: "office365",
  prov_c: "live_connect",
  prov_d: "apple",
  feed: "feed",
  hosted: "hosted",
  compat: "cronofy",
  svc_a1: "google",
  svc_a2: "gsuite",
  svc_b1: "office365",
  svc_c1: "outlook_com",
  svc_d1: "icloud",
  meet_a: "google_meet",
  meet_a_legacy: "google_hangouts",
  meet_b: "ms_teams",
  meet_b_legacy1: "skype_for_business",
  meet_b_legacy2: "skype_for_consumer",
  other: "other",
} as const;

export type WireToken = keyof typeof product;
export type Vocabulary = "product" | "neutral";

const providerTokens = {
  google: "prov_a",
  microsoft: "prov_b",
  outlook: "prov_c",
  icloud: "prov_d",
  // The specification has no other name for calendars over CalDAV.
  caldav: "prov_d",
  // Nor any for a feed.
  feed: "feed",
  hosted: "hosted",
} as const satisfies Record<Provider, WireToken>;

const serviceTokens = {
  google: "svc_a1",
  google_workspace: "svc_a2",
  microsoft_365: "svc_b1",
  outlook: "svc_c1",
  icloud: "svc_d1",
  caldav: "svc_d1",
  feed: "feed",
  hosted: "hosted",
} as const satisfies Record<ProviderService, WireToken>;

const meetingTokens = {
  google_meet: "meet_a",
  microsoft_teams: "meet_b",
  google_hangouts: "meet_a_legacy",
  skype_for_business: "meet_b_legacy1",
  skype: "meet_b_legacy2",
  other: "other",
} as const satisfies Record<MeetingService, WireToken>;

/** The values of `provider_name`, `provider_service` and `conferencing.provider_name` in a response. */
export const providerNameTokens: readonly WireToken[] = [
  ...new Set<WireToken>([...Object.values(providerTokens), "compat"]),
];
export const connectableTokens: readonly WireToken[] = offerable.map((provider) => providerTokens[provider]);
export const serviceNameTokens: readonly WireToken[] = [...new Set(Object.values(serviceTokens))];
export const meetingServiceTokens: readonly WireToken[] = Object.values(meetingTokens);

/** Writes a token in the vocabulary that the operator chose. */
export function wireName(vocabulary: Vocabulary, token: WireToken): string {
  return vocabulary === "product" ? product[token] : token;
}

/** Returns `provider_name` of a response. */
export function providerName(vocabulary: Vocabulary, provider: Provider): string {
  return wireName(vocabulary, providerTokens[provider]);
}

/** Returns `provider_service` of a response. */
export function serviceName(vocabulary: Vocabulary, service: ProviderService): string {
  return wireName(vocabulary, serviceTokens[service]);
}

/** Returns `conferencing.provider_name` of a response. */
export function meetingServiceName(vocabulary: Vocabulary, service: MeetingService): string {
  return wireName(vocabulary, meetingTokens[service]);
}

/** Finds the provider that a caller names, in either spelling, or null if people can't connect it. */
export function providerNamed(name: string): Connectable | null {
  return offerable.find((one) => [providerName("neutral", one), providerName("product", one)].includes(name)) ?? null;
}

/** Returns the prefix of userinfo's `type` and `data` keys: `svc`, or the other vendor's in compatibility mode. */
export function userinfoPrefix(vocabulary: Vocabulary, compatibilityMode: boolean): string {
  return compatibilityMode ? wireName(vocabulary, "compat") : "svc";
}
