/** The only place that spells a wire name: the specification's neutral tokens and the products' own (decisions.md, "Names on the wire"). */
const product = {
  prov_a: "google",
  prov_b: "office365",
  prov_c: "live_connect",
  prov_d: "apple",
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

/** What `provider_name`, `provider_service` and `conferencing.provider_name` of an answer can be. */
export const providerKinds = ["prov_a", "prov_b", "prov_c", "prov_d", "hosted", "compat"] as const;
export const providerServices = ["svc_a1", "svc_a2", "svc_b1", "svc_c1", "svc_d1", "hosted"] as const;
export const meetingServices = [
  "meet_a",
  "meet_b",
  "meet_a_legacy",
  "meet_b_legacy1",
  "meet_b_legacy2",
  "other",
] as const;

export const connectable = ["prov_a", "prov_b", "prov_c", "prov_d"] as const;
export type Connectable = (typeof connectable)[number];

/** What an answer says for a token, in the vocabulary that the operator chose. */
export function wireName(vocabulary: Vocabulary, token: WireToken): string {
  return vocabulary === "product" ? product[token] : token;
}

/** The provider that a caller names, in either spelling; null when it is none that a person can connect. */
export function providerNamed(name: string): Connectable | null {
  return connectable.find((token) => token === name || product[token] === name) ?? null;
}

/** The prefix of userinfo's `type` and `data` keys: `svc`, or the other vendor's in compatibility mode. */
export function userinfoPrefix(vocabulary: Vocabulary, compatibilityMode: boolean): string {
  return compatibilityMode ? wireName(vocabulary, "compat") : "svc";
}
