import { dashboardRows, type Panel } from "@/server/observability/dashboard";

const COLUMNS = 24;
const HEIGHT = 8;
const PER_LINE = 3;
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is a variable of Grafana's.
const datasource = { type: "prometheus", uid: "${datasource}" };

/** Writes the dashboard in Grafana's format. grafana.json beside this file is made from it. */
export function grafanaDashboard(): object {
  return {
    ...{ title: "Almanac", uid: "almanac", tags: ["almanac"], schemaVersion: 39, editable: true },
    ...{ timezone: "browser", time: { from: "now-6h", to: "now" }, refresh: "30s" },
    templating: {
      list: [
        { name: "datasource", label: "Prometheus", type: "datasource", query: "prometheus" },
        {
          ...{ name: "instance", label: "Instance", type: "query", datasource, includeAll: true, multi: true },
          ...{ query: "label_values(almanac_ready, instance)", refresh: 2, allValue: ".*", sort: 1 },
          current: { text: "All", value: "$__all" },
        },
      ],
    },
    panels: placed(),
  };
}

/** Places rows one below another, and their panels three to a line. */
function placed(): object[] {
  let y = 0;
  let id = 0;
  return dashboardRows.flatMap(({ title, panels }) => {
    id += 1;
    const head = { id, type: "row", title, collapsed: false, gridPos: { x: 0, y, w: COLUMNS, h: 1 }, panels: [] };
    y += 1;
    const drawn = panels.map((panel, i) => {
      id += 1;
      const [w, row] = [COLUMNS / PER_LINE, Math.floor(i / PER_LINE)];
      return { id, gridPos: { x: (i % PER_LINE) * w, y: y + row * HEIGHT, w, h: HEIGHT }, ...drawnPanel(panel) };
    });
    y += Math.ceil(panels.length / PER_LINE) * HEIGHT;
    return [head, ...drawn];
  });
}

function drawnPanel({ title, about, unit, lines, isNumber, bad }: Panel): object {
  const steps = [{ color: "green", value: null }, ...(bad === undefined ? [] : [{ color: "red", value: bad }])];
  return {
    ...{ title, description: about, datasource, type: isNumber ? "stat" : "timeseries" },
    fieldConfig: {
      defaults: { unit, min: 0, ...(isNumber && { decimals: 3, thresholds: { mode: "absolute", steps } }) },
      overrides: [],
    },
    options: isNumber
      ? { reduceOptions: { calcs: ["lastNotNull"] }, colorMode: "value", textMode: "value_and_name" }
      : { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi", sort: "desc" } },
    targets: lines.map(({ expr, legend }, i) => ({
      ...{ refId: String.fromCharCode(65 + i), expr: ofInstance(expr), legendFormat: legend, datasource },
    })),
  };
}

/** Keeps a query to the chosen processes. What rules have recorded is of all of them. */
function ofInstance(expr: string): string {
  const chosen = 'instance=~"$instance"';
  return expr.replaceAll(/\b(?:almanac|nodejs|process)_\w+\b(?:\{([^}]*)\})?/g, (found, labels?: string) =>
    labels === undefined ? `${found}{${chosen}}` : found.replace("{", `{${chosen},`),
  );
}
