import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { freePort } from "@/tests/fakes/free-port";
import { until } from "@/tests/rig/until";

const PROGRAM = "/usr/bin/prometheus";
const READY_MS = 60_000;
/** As docs/alerts.md has it. */
const EVERY = "15s";

export interface Firing {
  name: string;
  /** When Prometheus said so first, by this machine's clock. */
  at: number;
}

/** Of Prometheus's own API. */
interface AlertsAnswer {
  data: { alerts: { state: string; labels: { alertname: string } }[] };
}

export interface Prometheus {
  /** The alerts that have fired since it was last asked to forget, in their order. */
  fired(): readonly Firing[];
  forget(): void;
  close(): Promise<void>;
}

/** Starts Debian's Prometheus with the rules of this repository on the ports for metrics of some processes. */
export async function startPrometheus(targets: Record<string, number>): Promise<Prometheus> {
  if (!existsSync(PROGRAM)) throw new Error("Prometheus is not installed (Debian: prometheus)");
  const folder = mkdtempSync(join(tmpdir(), "almanac-prometheus-"));
  const port = await freePort();
  cpSync("server/observability/rules.yml", join(folder, "rules.yml"));
  const jobs = Object.entries(targets).map(([name, target]) => ({
    ...{ job_name: `almanac-${name}`, static_configs: [{ targets: [`127.0.0.1:${target}`] }] },
  }));
  const config = {
    global: { scrape_interval: EVERY, evaluation_interval: EVERY },
    rule_files: ["rules.yml"],
    scrape_configs: jobs,
  };
  writeFileSync(join(folder, "prometheus.yml"), stringify(config));
  const child = spawn(
    PROGRAM,
    [
      ...["--config.file=prometheus.yml", `--storage.tsdb.path=${join(folder, "data")}`, "--log.level=error"],
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { cwd: folder, stdio: "ignore" },
  );
  const end = () => void child.kill("SIGKILL");
  process.once("exit", end);
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
    return response?.ok ? response : null;
  };
  await until(async () => (await ask("/-/ready")) !== null, { within: READY_MS, what: "Prometheus" });
  const fired = new Map<string, Firing>();
  const look = async () => {
    const answer = await ask("/api/v1/alerts");
    const { data } = ((await answer?.json()) ?? { data: { alerts: [] } }) as AlertsAnswer;
    for (const { state, labels } of data.alerts)
      if (state === "firing" && !fired.has(labels.alertname))
        fired.set(labels.alertname, { name: labels.alertname, at: Date.now() });
  };
  const timer = setInterval(() => void look(), 500);
  return {
    fired: () => [...fired.values()],
    forget: () => fired.clear(),
    close: async () => {
      clearInterval(timer);
      process.off("exit", end);
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
