import { once } from "node:events";
import { type Attack, attacks } from "@/tests/faults/neighbours/attacks";
import { slotAttacks } from "@/tests/faults/neighbours/held-slots";
import {
  largeWriteProbe,
  notificationProbe,
  type Probe,
  requestProbe,
  type Seen,
  signInProbe,
} from "@/tests/faults/neighbours/probes";
import { type DatabaseKind, onStage, type Stage } from "@/tests/faults/neighbours/stage";
import { connectMailbox, eventBody, hostedCalendar, openChannel, write } from "@/tests/faults/neighbours/tenants";
import { broken, messageOf, type Row } from "@/tests/rig/results";
import type { Service } from "@/tests/rig/service";
import { passed } from "@/tests/rig/until";

/** What one tenant or stranger does moves another tenant's p95 by no more than this. */
const FACTORS: Record<DatabaseKind, number> = { PostgreSQL: 2, embedded: 4 };
/** Below this a difference is the noise of the machine. In milliseconds. */
const FLOOR_MS = { requests: 25, "large writes": 25, notifications: 0, "sign-ins": 0 };
const MEMORY_MB = 20;
const SAMPLES = 10;
const SAMPLE_MS = 300;
const WARM_UP_MS = 3_000;
const REQUESTS_MS = 8_000;
const NOTIFICATIONS_MS = 16_000;
const SIGN_INS = 4;
const MAILBOXES = 5;
const EVENTS = 50;

/**
 * A tenant that does nothing odd, alone and beside each of the attacks A1 to A9 and D1 to D4, on both kinds of database. NEIGHBOURS=A3,D1 plays these
 * alone; NEIGHBOURS_DATABASE=embedded one kind alone.
 */
export async function neighbours(): Promise<Row[]> {
  const kinds = (["PostgreSQL", "embedded"] as const).filter((kind) =>
    (process.env.NEIGHBOURS_DATABASE ?? kind).includes(kind),
  );
  const asked = process.env.NEIGHBOURS?.split(",");
  const played = [...attacks, ...slotAttacks].filter(({ name }) => asked?.includes(name.slice(0, 2)) ?? true);
  const rows: Row[] = [];
  for (const kind of kinds) {
    for (const attack of played) {
      const found = await onStage(kind, (stage) => play(kind, attack, stage)).catch((error: unknown) => [
        broken(`${kind}, ${attack.name}`, messageOf(error)),
      ]);
      for (const row of found) process.stdout.write(`${row.what}: ${row.measured}${row.ok ? "" : " (over)"}\n`);
      rows.push(...found);
    }
  }
  return rows;
}

async function play(kind: DatabaseKind, attack: Attack, stage: Stage): Promise<Row[]> {
  const probe = await probeOf(attack, stage);
  const first = attack.fills ? await mostHeld(stage.service) : 0;
  const begin = await attack.prepare(stage);
  const forMs = attack.felt === "notifications" ? NOTIFICATIONS_MS : REQUESTS_MS;
  if (attack.felt !== "sign-ins") await probe(WARM_UP_MS);
  const alone = await probe(forMs);
  const before = attack.fills ? await mostHeld(stage.service) : 0;
  const end = await begin();
  await passed(1_000);
  const beside = await probe(forMs);
  const during = attack.fills ? await mostHeld(stage.service) : 0;
  await end();
  return [
    felt(kind, attack, { alone, beside }),
    ...(attack.fills ? [memoryRow(kind, attack, { first, before, during })] : []),
  ];
}

async function probeOf({ felt }: Attack, stage: Stage): Promise<Probe> {
  const { victim, mailboxes, receiver } = stage;
  if (felt === "sign-ins") return signInProbe(victim, stage.operator, SIGN_INS);
  if (felt === "large writes") return largeWriteProbe(victim, await hostedCalendar(victim, "victim"));
  if (felt === "requests") {
    const holder = await hostedCalendar(victim, "victim");
    for (let i = 0; i < EVENTS; i += 1) await write(victim, holder, eventBody(`event-${i}`, {}, 24 + i));
    return requestProbe(victim, holder);
  }
  const channels = new Map<string, string>();
  for (let i = 0; i < MAILBOXES; i += 1) {
    const holder = await connectMailbox(victim, `victim-${i}`);
    channels.set(`victim-${i}`, await openChannel(victim, holder, `${receiver.origin}/hook`));
  }
  return notificationProbe({ mailboxes, channels, notified: receiver.notified });
}

function felt(kind: DatabaseKind, { name, felt }: Attack, { alone, beside }: { alone: Seen; beside: Seen }): Row {
  const limit = Math.max(alone.p95 * FACTORS[kind], FLOOR_MS[felt]);
  const faults = [...alone.faults, ...beside.faults];
  const note = faults.length > 0 ? `; ${faults.length} failed: ${[...new Set(faults)].join(", ")}` : "";
  return {
    what: `${kind}, ${name}: the other tenant's ${felt}`,
    measured: `p50 ${ms(alone.p50)} alone, ${ms(beside.p50)} beside; p95 ${ms(alone.p95)} alone, ${ms(beside.p95)} beside (${(beside.p95 / alone.p95).toFixed(1)} ×, ${beside.count} seen)${note}`,
    limit: `p95 ${ms(limit)}, ${FACTORS[kind]} ×`,
    ok: beside.p95 <= limit && faults.length === 0,
  };
}

function memoryRow(
  kind: DatabaseKind,
  { name }: Attack,
  { first, before, during }: { first: number; before: number; during: number },
): Row {
  const grown = during - before;
  return {
    what: `${kind}, ${name}: memory held`,
    measured: `${grown.toFixed(1)} MB more than when the same was read (${first.toFixed(0)} MB at first, ${before.toFixed(0)} MB after reading, ${during.toFixed(0)} MB during)`,
    limit: `${MEMORY_MB} MB more`,
    ok: grown <= MEMORY_MB,
  };
}

/** What stays resident when all garbage is collected (collect.cjs), in MB; the service stands still for about 0.2 s. */
async function heldMegabytes({ child }: Service): Promise<number> {
  child.send("collect");
  const [{ resident }] = await once(child, "message");
  return resident / 1024 / 1024;
}

/** The most memory that the service holds, garbage aside, while it is looked at; in MB. */
async function mostHeld(service: Service): Promise<number> {
  let most = 0;
  for (let i = 0; i < SAMPLES; i += 1) {
    most = Math.max(most, await heldMegabytes(service));
    await passed(SAMPLE_MS);
  }
  return most;
}

const ms = (value: number) => `${value < 100 ? value.toFixed(1) : value.toFixed(0)} ms`;
