/** A metric that a query reads, and the labels by which it selects, groups or joins. */
export interface Queried {
  metric: string;
  labels: string[];
}

const GROUPED = /\b(?:by|without|on|ignoring) \(([^)]*)\)/g;
/** Prometheus adds these to all that it scrapes. */
const ADDED = ["instance", "job", "le"];

/** Reads the service's metrics from a query in PromQL. Labels of a grouping are taken to be of each metric of the query. */
export function queriedMetrics(expr: string): Queried[] {
  const grouped = [...expr.matchAll(GROUPED)].flatMap(([, list = ""]) => list.split(",").map((one) => one.trim()));
  return [...expr.matchAll(/(?<![\w:])((?:almanac|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, metric = "", selected = ""]) => ({
      metric: metric.replace(/_(?:bucket|count|sum)$/, ""),
      labels: [...[...selected.matchAll(/(\w+)\s*[=!]/g)].map(([, label = ""]) => label), ...grouped].filter(
        (label) => label !== "" && !ADDED.includes(label),
      ),
    }),
  );
}

/** Reads the labels that the samples of each metric have in a scrape. */
export function scrapedLabels(scrape: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, name = ""] of scrape.matchAll(/^# TYPE (\S+) /gm)) found.set(name, new Set());
  for (const [, name = "", labels = ""] of scrape.matchAll(/^([a-z_0-9]+)(?:\{([^}]*)\})? /gm)) {
    const metric = found.has(name) ? name : name.replace(/_(?:bucket|count|sum)$/, "");
    const known = found.get(metric) ?? new Set<string>();
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) known.add(label);
    found.set(metric, known);
  }
  return found;
}
