import type { Provider } from "@/server/domain/providers";
import type { Lane } from "@/server/store/mailboxes/provider-budget";
import { budgetOf } from "@/server/store/mailboxes/provider-budgets";
import type { ProviderSlots } from "@/server/sync/provider-slots";

/** Limits free slots to the work for which there is budget, and says what applications have had of one that is short. */
export async function budgetedSlots(free: readonly ProviderSlots[], lane: Lane): Promise<ProviderSlots[]> {
  const limited: ProviderSlots[] = [];
  for (const slots of free) {
    const budget = budgetOf(slots.provider);
    await budget?.refresh();
    const room = budget?.room(lane);
    if (!room) limited.push(slots);
    else if (room.pieces > 0) limited.push(within(slots, room.pieces, room.used));
  }
  return limited;
}

function within(slots: ProviderSlots, pieces: number, used: ReadonlyMap<string, number>): ProviderSlots {
  const held = slots.held.map((one) => ({ ...one, used: used.get(one.application) ?? 0 }));
  const others = [...used].filter(([application]) => !held.some((one) => one.application === application));
  return {
    ...slots,
    most: Math.min(slots.most, pieces),
    held: [...held, ...others.map(([application, used]) => ({ application, all: 0, slow: 0, used }))],
  };
}

/** Tells at which providers work may begin, and in how many milliseconds at one of the others. Null: there are none. */
export function openLanes(providers: readonly Provider[], lane: Lane): { open: Provider[]; inMs: number | null } {
  const rooms = providers.map((provider) => ({ provider, room: budgetOf(provider)?.room(lane) ?? null }));
  const open = rooms.flatMap(({ provider, room }) => (room === null || room.pieces > 0 ? [provider] : []));
  const waits = rooms.flatMap(({ room }) => (room === null || room.pieces > 0 ? [] : [room.inMs]));
  return { open, inMs: waits.length > 0 ? Math.min(...waits) : null };
}

/** Returns the shortest of some waits. Null: there is none. */
export function soonest(...waits: (number | null)[]): number | null {
  const known = waits.filter((wait) => wait !== null);
  return known.length > 0 ? Math.min(...known) : null;
}
