/**
 * The steps of tests/run.mjs in their order, each stage with the lanes that run beside one another. Each step waits for some of its time:
 * for the retries of a webhook, for calendar servers, for the last of its files. Two lanes keep both cores of a newcomer's machine busy (ADR 62);
 * a third holds what waits the most. Of the longest steps those come last that are many short files, so that no core waits at the end. Nothing runs
 * beside the bench, which measures.
 */
const order = [
  [["types"], ["lint"]],
  [["unit", "oracles"], ["build"]],
  [["bench"]],
  [
    ["start", "api"],
    ["e2e", "sync", "clients"],
    ["postgres", "server", "redis"],
  ],
];
const groups = {
  check: ["types", "lint", "unit"],
  test: ["types", "lint", "unit", "oracles", "build", "api", "clients", "sync", "start", "e2e"],
};

const named = (names) => names.flatMap((name) => groups[name] ?? [name]);

/** The names that no step and no group has. */
export function unknownSteps(names) {
  const known = order.flat(2);
  return named(names).filter((name) => !known.includes(name));
}

/** The stages of the named steps and groups: in each, lanes of steps that follow one another. */
export function stages(names) {
  const asked = new Set(named(names));
  const wanted = order.map((lanes) => lanes.map((lane) => lane.filter((name) => asked.has(name))));
  return wanted.map((lanes) => lanes.filter((lane) => lane.length > 0)).filter((lanes) => lanes.length > 0);
}
