/**
 * The steps of tests/run.mjs in their order, each stage with the lanes that run beside one another. Each step waits for some of its time:
 * for the retries of a webhook, for calendar servers, for the last of its files. Two lanes keep both cores of a newcomer's machine busy (ADR 62);
 * a third holds what waits the most. Of the longest steps those come last that are many short files, so that no core waits at the end. Nothing runs
 * beside the bench, which measures.
 */
const order = [
  [
    ["types", "lint", "build"],
    ["unit", "oracles"],
  ],
  [["bench"]],
  [
    ["quickstart", "start", "contract", "embedded", "clients"],
    ["e2e", "fakes", "sync"],
    ["postgres", "server", "redis"],
  ],
];
const every = order.flat(2);
/** `npm test`: all that Node alone can do in a few minutes. */
const test = ["types", "lint", "unit", "build", "quickstart", "contract", "fakes"];
const groups = {
  check: ["types", "lint", "unit"],
  test,
  browser: ["e2e"],
  all: every,
  // What is left when `npm test` has passed.
  rest: every.filter((name) => !test.includes(name)),
};

const named = (names) => names.flatMap((name) => groups[name] ?? [name]);

/** The names that no step and no group has. */
export function unknownSteps(names) {
  return named(names).filter((name) => !every.includes(name));
}

/** The steps that the named steps and groups leave out. */
export function leftOut(names) {
  return every.filter((name) => !named(names).includes(name));
}

/** The stages of the named steps and groups: in each, lanes of steps that follow one another. */
export function stages(names) {
  const asked = new Set(named(names));
  const wanted = order.map((lanes) => lanes.map((lane) => lane.filter((name) => asked.has(name))));
  return wanted.map((lanes) => lanes.filter((lane) => lane.length > 0)).filter((lanes) => lanes.length > 0);
}
