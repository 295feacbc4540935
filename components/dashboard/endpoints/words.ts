import { byFailure } from "@/components/dashboard/deliveries/diagnosis";
import type { Tone } from "@/components/ui/state";
import type { EndpointState } from "@/server/services/staff/lists/endpoints";

/** The look and the name of each state of an endpoint. */
export const endpointStates: Record<EndpointState, { tone: Tone; word: string }> = {
  failing: { tone: "bad", word: "Failing" },
  paused: { tone: "wait", word: "Paused" },
  active: { tone: "good", word: "Active" },
  closed: { tone: "off", word: "Closed" },
};

export const endpointStateOptions = Object.entries(endpointStates).map(([value, { word }]) => ({ value, label: word }));

/** Explains why an attempt failed, and what its developer can do about it. */
export function failureSentence(
  { status, error }: { status: number | null; error: string | null },
  endpoint: string,
): string {
  return byFailure({ status, errorClass: error, address: null }, endpoint);
}
