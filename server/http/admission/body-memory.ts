/** In bytes. */
export interface BodyLimits {
  most: number;
  /** More than one body of the largest that is read. */
  perApplication: number;
}

/** What is held in memory of one body. */
export interface HeldBody {
  /** Counts so many bytes more. False: there is no room for them, and nothing is held any more. */
  add(bytes: number): boolean;
  /** All of it is there: it is not given up any more. */
  arrived(): void;
  /** Nothing of it is held any more. */
  end(): void;
}

export interface BodyMemory {
  /** Begins to count a body that arrives. `giveUp` is called when others need the room more. */
  begin(applicationId: string, giveUp: () => void): HeldBody;
  /** Bytes that are held. */
  held(): number;
}

interface Body {
  bytes: number;
  /** Null: all of it is there. */
  giveUp: (() => void) | null;
}

/** What is held for one application. */
interface Owner {
  bytes: number;
  /** In the order of their coming. */
  bodies: Set<Body>;
}

/**
 * Bounds what is held of bodies that arrive slowly or wait for their turn. Where there is no more room, the application that holds most gives up
 * the newest of its bodies that still arrive: whoever trickles holds nobody up (ADR 86).
 */
export function bodyMemory({ most, perApplication }: BodyLimits): BodyMemory {
  const owners = new Map<string, Owner>();
  let total = 0;

  function drop(owner: Owner, body: Body): void {
    if (!owner.bodies.delete(body)) return;
    owner.bytes -= body.bytes;
    total -= body.bytes;
  }

  function giveUpOne(): void {
    let greediest: { owner: Owner; body: Body } | undefined;
    for (const owner of owners.values()) {
      if (greediest && owner.bytes <= greediest.owner.bytes) continue;
      const body = [...owner.bodies].findLast(({ giveUp }) => giveUp !== null);
      if (body) greediest = { owner, body };
    }
    if (!greediest) return;
    drop(greediest.owner, greediest.body);
    greediest.body.giveUp?.();
  }

  return {
    begin(applicationId, giveUp) {
      const owner = owners.get(applicationId) ?? { bytes: 0, bodies: new Set() };
      owners.set(applicationId, owner);
      const body: Body = { bytes: 0, giveUp };
      owner.bodies.add(body);
      return {
        add(bytes) {
          if (!owner.bodies.has(body)) return false;
          body.bytes += bytes;
          owner.bytes += bytes;
          total += bytes;
          if (owner.bytes > perApplication) drop(owner, body);
          while (total > most && owner.bodies.has(body)) giveUpOne();
          return owner.bodies.has(body);
        },
        arrived() {
          body.giveUp = null;
        },
        end() {
          drop(owner, body);
          if (owner.bodies.size === 0) owners.delete(applicationId);
        },
      };
    },
    held: () => total,
  };
}
