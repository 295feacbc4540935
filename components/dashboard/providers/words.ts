import { mailboxReason } from "@/components/dashboard/accounts/words";
import type { Tone } from "@/components/ui/state";
import type { ProviderHealth, ProviderState } from "@/server/services/staff/providers/shapes";

export const stateWords: Record<ProviderState, { tone: Tone; word: string }> = {
  ok: { tone: "good", word: "OK" },
  rate_limiting: { tone: "wait", word: "Rate limiting" },
  not_responding: { tone: "bad", word: "Not responding" },
  unused: { tone: "off", word: "No profiles" },
};

/** Names what the profiles of a provider fail of, the most frequent first. */
export function errorsText({ provider, name, errors }: ProviderHealth): string {
  const reason = (error: string) => mailboxReason("failing", { provider, providerLabel: name }, error);
  if (errors.length === 1 && errors[0]) return reason(errors[0].error);
  return errors.map(({ error, mailboxes }) => `${mailboxes}: ${reason(error)}`).join(" ");
}
