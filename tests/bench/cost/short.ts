import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { compared } from "@/tests/bench/cost/requests";
import { openStage, type Stage } from "@/tests/bench/cost/stage";
import { compare, type Warming } from "@/tests/bench/cost/table";
import { type Figures, worseRows } from "@/tests/bench/cost/verdict";

const FILE = "tests/bench/cost/figures.json";
const ACCOUNTS = 100;
const SECONDS = 0.2;
const WARMING: Warming = { ours: 2.5, bare: 0.5 };
const TURNS = 10;
/** Of a row that seems worse, or is committed. */
const MORE_TURNS = 20;

/** Compares what a request costs with the committed figures, in less than a minute; false when a row got worse, or nothing can be measured. */
export async function holdsCommitted(address: string, say: (text: string) => void): Promise<boolean> {
  const stage = await openStage(address, ACCOUNTS);
  if ("cannot" in stage) {
    say(`FAILED What a request costs cannot be measured here: ${stage.cannot}.`);
    return false;
  }
  try {
    const committed: Figures = JSON.parse(readFileSync(resolve(FILE), "utf8"));
    const measured: Record<string, number> = {};
    for (const { what } of compared) {
      measured[what] = await ratio(stage, what, TURNS);
      say(`${what}: ${times(measured[what])} bare (committed: ${times(committed[what] ?? Number.NaN)})`);
    }
    const worse = await worseRows(measured, committed, (what) => {
      say(`${what}: measuring again …`);
      return ratio(stage, what, MORE_TURNS);
    });
    for (const { what, measured, committed } of worse) {
      say(
        `FAILED ${what} costs ${times(measured)} as much as on the bare server. The committed figure is ${times(committed)}.`,
      );
    }
    return worse.length === 0;
  } finally {
    await stage.close();
  }
}

/** Measures the figures that `holdsCommitted` compares with, and writes them to their file. */
export async function commitFigures(address: string, say: (text: string) => void): Promise<void> {
  const stage = await openStage(address, ACCOUNTS);
  if ("cannot" in stage) throw new Error(`What a request costs cannot be measured here: ${stage.cannot}.`);
  try {
    const figures: Record<string, number> = {};
    for (const { what } of compared) {
      figures[what] = Number((await ratio(stage, what, MORE_TURNS)).toFixed(2));
      say(`${what}: ${times(figures[what])} bare`);
    }
    writeFileSync(resolve(FILE), `${JSON.stringify(figures, null, 2)}\n`);
  } finally {
    await stage.close();
  }
}

async function ratio(stage: Stage, what: string, turns: number): Promise<number> {
  const request = compared.find((one) => one.what === what);
  if (!request) throw new Error(`There is no row ${what}.`);
  return (await compare(stage, request, { turns, seconds: SECONDS }, WARMING)).ratio;
}

function times(ratio = Number.NaN): string {
  return `${ratio.toFixed(2)} ×`;
}
