import { parseArgs } from "node:util";
import { clock } from "@/server/clock";
import { fillDemo, isWhole } from "@/server/demo/fill";
import { DemoError, findInstallation, type Installation } from "@/server/demo/installation";
import { clientIds, demoApplications } from "@/server/demo/marks";
import { removeDemo } from "@/server/demo/remove";
import { alreadyFilledText, filledText, removedText } from "@/server/demo/words";
import { VISITORS_APPLICATION } from "@/server/domain/visitors";

export interface DemoOptions {
  root: string;
  parameters: string[];
}

/** Fills the running Almanac with a month, or removes that again. Returns the exit code; what is foreseen is one sentence on stderr. */
export async function main({ root, parameters }: DemoOptions): Promise<number> {
  try {
    const { remove, force } = readParameters(parameters);
    const installation = await findInstallation();
    try {
      if (remove) print(removedText(await removeDemo(installation, clock().now())));
      else await fill(installation, { root, force });
    } finally {
      await installation.db.close();
    }
    return 0;
  } catch (error) {
    if (!(error instanceof DemoError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

function readParameters(args: string[]): { remove: boolean; force: boolean } {
  const option = { type: "boolean", default: false } as const;
  try {
    const { values } = parseArgs({ args, options: { remove: option, force: option } });
    return { remove: values.remove, force: values.force };
  } catch {
    throw new DemoError("Usage: npm run demo [-- --remove | -- --force]");
  }
}

async function fill(installation: Installation, { root, force }: { root: string; force: boolean }): Promise<void> {
  const { db, env } = installation;
  const before = await demoApplications(db);
  if (isWhole(before)) return print(alreadyFilledText(env));
  await expectAlone(installation, force);
  if (before.length > 0) {
    print("An earlier run did not finish: removing what it created.");
    await removeDemo(installation, clock().now());
  }
  const [now, began] = [clock().now(), clock().monotonic()];
  try {
    const filled = await fillDemo(installation, { root, now, says: (step) => print(`${step}…`) });
    print(filledText(env, filled, Math.round((clock().monotonic() - began) / 1_000)));
  } catch (error) {
    await removeDemo(installation, clock().now()).catch(() => undefined);
    throw error;
  }
}

/** Refuses to run beside real applications, except on the embedded database, which is somebody's own machine. */
async function expectAlone({ db, isEmbedded }: Installation, force: boolean): Promise<void> {
  if (isEmbedded || force) return;
  const others = { clientId: { notIn: clientIds }, id: { not: VISITORS_APPLICATION } };
  const count = await db.prisma.application.count({ where: others });
  if (count === 0) return;
  throw new DemoError(
    `The database of DATABASE_URL has ${count === 1 ? "an application" : `${count} applications`} already. To fill it with a demo anyway, run npm run demo -- --force.`,
  );
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
