const MOST_EXAMPLES = 4;

/**
 * Prints how many events are read as the others read them, what the rest differs in, and what reading cost.
 * @param {ReturnType<import("./compare.mjs").compare>[]} files
 * @param {string[]} names
 */
export function print(files, names) {
  const events = files.flatMap(({ path, events }) => events.map((event) => ({ path, ...event })));
  const others = names.length - 1;
  const count = (condition) => events.filter(condition).length;
  say(`${files.length} files, ${events.length} events, read by ${names.join(", ")}`);
  say(`equal to all others: ${count(({ equal }) => equal.length === others)}`);
  for (let n = others - 1; n >= 0; n -= 1) {
    say(`equal to ${n === 0 ? "none" : `${n} of ${others}`}: ${count(({ equal }) => equal.length === n)}`);
  }
  const against = events.filter((one) => one.against.length > 0 && one.equal.length === 0);
  say(`\nothers agree with each other and nobody with Almanac: ${against.length}`);
  grouped(against, ({ reason, against: who }) => `${reason} (${who.join(", ")})`);
  const split = events.filter((one) => one.against.length > 0 && one.equal.length > 0);
  say(`\nothers agree with each other, and others with Almanac: ${split.length}`);
  grouped(split, ({ reason, against: who }) => `${reason} (${who.join(", ")})`);
  const alone = events.filter((one) => one.against.length === 0 && one.equal.length === 0);
  say(`\nno two readers agree: ${alone.length}`);
  grouped(alone, ({ reason }) => reason);
  const faults = files.filter(({ error }) => error !== undefined);
  say(`\nfiles in which Almanac reads no event: ${faults.length}`);
  grouped(faults, ({ error }) => error);
  const longest = files.toSorted((a, b) => b.longest - a.longest).slice(0, 3);
  say(
    `\nlongest pieces of work: ${longest.map(({ path, longest: ms }) => `${ms.toFixed(1)} ms (${nameOf(path)})`).join(", ")}`,
  );
  say(
    `time: ${Math.round(files.reduce((sum, { ms }) => sum + ms, 0))} ms, memory: ${Math.max(0, ...files.map(({ memory }) => memory))} MB`,
  );
}

function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  for (const [key, some] of [...groups].sort(([, a], [, b]) => b.length - a.length)) {
    const examples = [...new Set(some.map(({ path }) => nameOf(path)))].slice(0, MOST_EXAMPLES);
    say(`  ${some.length} × ${key}: ${examples.join(", ")}`);
  }
}

function nameOf(path) {
  return path.split("/").slice(-2).join("/");
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
