import type { Tone } from "@/components/ui/state";
import type { EndpointState } from "@/server/domain/staff-lists";

/** How a state of an endpoint looks and what it is called. */
export const endpointStates: Record<EndpointState, { tone: Tone; word: string }> = {
  active: { tone: "good", word: "Active" },
  failing: { tone: "bad", word: "Failing" },
  closed: { tone: "off", word: "Closed" },
};

export const endpointStateOptions = Object.entries(endpointStates).map(([value, { word }]) => ({ value, label: word }));
