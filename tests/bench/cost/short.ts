import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { compared } from "@/tests/bench/cost/requests";
import { openStage, type Stage } from "@/tests/bench/cost/stage";
import { type Comparison, compare, total, type Warming } from "@/tests/bench/cost/table";
import { type Committed, type Figures, nearest, renewed, worseRows } from "@/tests/bench/cost/verdict";

const FILE = "tests/bench/cost/figures.json";
const ACCOUNTS = 200;
const SECONDS = 0.2;
const WARMING: Warming = { ours: 2.5, bare: 0.5 };
const TURNS = 10;
/** Of a row that seems worse, or is committed. */
const MORE_TURNS = 20;

/** Compares what a request costs with the committed figures, in less than a minute; false when a row got worse. */
export async function holdsCommitted(address: string, say: (text: string) => void): Promise<boolean> {
  const stage = await openStage(address, ACCOUNTS);
  try {
    const { bareMs, figures: measured } = await figuresOf(stage, TURNS);
    say(`GET /v1/account on the bare server: ${bareMs} ms of processor time`);
    const committed: Figures = nearest(readCommitted(), bareMs)?.figures ?? {};
    for (const [what, figure] of Object.entries(measured)) {
      say(`${what}: ${times(figure)} bare (committed: ${times(committed[what])})`);
    }
    const worse = await worseRows(measured, committed, async (what) => {
      say(`${what}: measuring again …`);
      return (await comparisonOf(stage, what, MORE_TURNS)).ratio;
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
  try {
    const measured = await figuresOf(stage, MORE_TURNS);
    for (const [what, figure] of Object.entries(measured.figures)) say(`${what}: ${times(figure)} bare`);
    writeFileSync(resolve(FILE), `${JSON.stringify(renewed(readCommitted(), measured), null, 2)}\n`);
  } finally {
    await stage.close();
  }
}

function readCommitted(): Committed[] {
  return JSON.parse(readFileSync(resolve(FILE), "utf8"));
}

async function figuresOf(stage: Stage, turns: number): Promise<Committed> {
  const figures: Record<string, number> = {};
  let bareMs = Number.NaN;
  for (const { what } of compared) {
    const { ratio, bare } = await comparisonOf(stage, what, turns);
    figures[what] = Number(ratio.toFixed(2));
    if (Number.isNaN(bareMs)) bareMs = Number(total(bare).toFixed(3));
  }
  return { bareMs, figures };
}

async function comparisonOf(stage: Stage, what: string, turns: number): Promise<Comparison> {
  const request = compared.find((one) => one.what === what);
  if (!request) throw new Error(`There is no row ${what}.`);
  return await compare(stage, request, { turns, seconds: SECONDS }, WARMING);
}

function times(ratio = Number.NaN): string {
  return `${ratio.toFixed(2)} ×`;
}
