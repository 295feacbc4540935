import { MOST_PER_RECEIVER } from "@/server/domain/channels/retry-time";
import { type Receiver, receiverKey } from "@/server/webhooks/claim";

const SLOW_MS = 2_000;
/** The most receivers remembered per application, and the most applications. */
const MOST_KEPT = 1_000;
/** The most healthy receivers passed to a claim, and the most applications they belong to. */
const MOST_NAMED = 400;
const MOST_APPLICATIONS_NAMED = 40;
const FEWEST_NAMED = 10;

interface Behaviour {
  underWay: number;
  /** Whether its last attempt got any response. Undefined: it was never contacted. */
  answers?: boolean;
  /** Whether its last attempt was slow. */
  isSlow: boolean;
}

interface Application {
  receivers: Map<string, Behaviour>;
  /** The attempts in progress, and those of them at slow receivers. */
  underWay: number;
  slow: number;
}

/** The limits for the next claim. */
export interface FreeSlots {
  /** Applications at their limit of attempts in progress. */
  without: string[];
  /** How many may start, by `receiverKey`. One for a receiver that is not listed. */
  limits: Record<string, number>;
}

/**
 * Tracks how receivers behave, as this process has seen it, and shares its slots among them. A receiver is a host of
 * one application: other applications' results at the same host don't count. A receiver that did not respond the last
 * time, or was never contacted, gets one attempt at a time. Slow receivers together get half of the slots, and one
 * application three quarters. Beyond that each application has its share, so that there is always a slot for another
 * one.
 */
export function receiverHealth(slots: number) {
  const known = new Map<string, Application>();
  const busy = new Map<string, Receiver>();
  let underWay = 0;
  let slow = 0;

  const applicationOf = (id: string): Application => {
    const application = known.get(id) ?? { receivers: new Map(), underWay: 0, slow: 0 };
    return toEnd(known, id, application);
  };
  const behaviourOf = ({ receivers }: Application, host: string): Behaviour =>
    toEnd(receivers, host, receivers.get(host) ?? { underWay: 0, isSlow: false });
  const add = (application: Application, behaviour: Behaviour, count: 1 | -1) => {
    behaviour.underWay += count;
    application.underWay += count;
    underWay += count;
    if (behaviour.isSlow) countSlow(application, count);
  };
  const countSlow = (application: Application, count: number) => {
    application.slow += count;
    slow += count;
  };
  const shareOf = (all: number, isSharing: (application: Application) => boolean) =>
    Math.floor(all / (1 + [...known.values()].filter(isSharing).length));

  const namedOf = ({ receivers }: Application, most: number): string[] =>
    [...receivers].flatMap(([host, { answers }]) => (answers ? [host] : [])).slice(-most);
  const answering = (): [string, number][] => {
    const recent = [...known].slice(-MOST_APPLICATIONS_NAMED);
    const each = Math.max(FEWEST_NAMED, Math.floor(MOST_NAMED / Math.max(1, recent.length)));
    return recent.flatMap(([applicationId, application]) =>
      namedOf(application, each).map((host): [string, number] => [
        receiverKey({ applicationId, host }),
        MOST_PER_RECEIVER,
      ]),
    );
  };
  const awaited = (): [string, number][] =>
    [...busy].flatMap(([key, { applicationId, host }]) =>
      known.get(applicationId)?.receivers.get(host)?.answers ? [] : [[key, 0] as [string, number]],
    );
  const tooSlow = (): [string, number][] => {
    if (slow < slots / 2) return [];
    const share = shareOf(slots / 2, (application) => application.slow > 0);
    return [...known].flatMap(([applicationId, application]) =>
      application.slow < share
        ? []
        : [...application.receivers].flatMap(([host, { isSlow }]) =>
            isSlow ? [[receiverKey({ applicationId, host }), 0] as [string, number]] : [],
          ),
    );
  };

  return {
    begin: (receiver: Receiver) => {
      const application = applicationOf(receiver.applicationId);
      add(application, behaviourOf(application, receiver.host), 1);
      busy.set(receiverKey(receiver), receiver);
    },
    end: (receiver: Receiver, { answered, durationMs }: { answered: boolean; durationMs: number }) => {
      const application = applicationOf(receiver.applicationId);
      const behaviour = behaviourOf(application, receiver.host);
      add(application, behaviour, -1);
      if (behaviour.isSlow) countSlow(application, -behaviour.underWay);
      behaviour.answers = answered;
      behaviour.isSlow = durationMs >= SLOW_MS;
      if (behaviour.isSlow) countSlow(application, behaviour.underWay);
      if (behaviour.underWay === 0) busy.delete(receiverKey(receiver));
      forget(application.receivers);
      forget(known);
    },
    free: (): FreeSlots => {
      const limits = Object.fromEntries([...answering(), ...awaited(), ...tooSlow()]);
      if (slots - underWay > slots / 4) return { without: [], limits };
      const share = shareOf(slots, (application) => application.underWay > 0);
      const without = [...known].flatMap(([id, application]) => (application.underWay >= share ? [id] : []));
      return { without, limits };
    },
  };
}

/** Moves an entry to the end. A map iterates in insertion order, so its first key is the least recently used. */
function toEnd<Value>(map: Map<string, Value>, key: string, value: Value): Value {
  map.delete(key);
  map.set(key, value);
  return value;
}

function forget(map: Map<string, { underWay: number }>): void {
  for (const [key, { underWay }] of map) {
    if (map.size <= MOST_KEPT) return;
    if (underWay === 0) map.delete(key);
  }
}
