import { ProviderError } from "@/server/providers/connector";
import type { MailboxProblem, RefusedAt } from "@/server/providers/organization";

/** Asks a provider, and returns its refusal as a problem. Throws all other errors. */
export async function refusedAs<Value>(at: RefusedAt, ask: () => Promise<Value>): Promise<Value | MailboxProblem> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const isRefused = error.fault.kind === "credentials_rejected" || error.fault.kind === "refused";
    if (!isRefused) throw error;
    return { problem: `${at}_refused`, detail: error.detail };
  }
}
