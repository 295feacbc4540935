import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readEnv, roles, variableNames } from "@/server/env";
import { capacities } from "@/server/env/capacities";
import { startScript } from "@/tests/fakes/start-script";

const root = resolve(import.meta.dirname, "../../..");
const read = (name: string) => readFileSync(resolve(root, name), "utf8");
const manifest = JSON.parse(read("package.json"));
const dockerfile = read("Dockerfile").replace(/\\\n\s*/g, "");
const instructions = dockerfile.split("\n").filter((line) => /^[A-Z]+ /.test(line));
const of = (name: string) =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith("FROM ")));
const settings = Object.fromEntries(
  of("ENV").flatMap((line) => [...line.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value])),
);

interface Composed {
  environment: Record<string, string | number>;
  ports?: string[];
  [key: string]: unknown;
}
const compose = parse(read("compose.yaml"), { merge: true });
const services: Record<string, Composed> = compose.services;
const ours = ["web-1", "web-2", "worker"] as const;
/** What `docker compose` makes of a value when .env has nothing but the secrets. */
const secrets: Record<string, string> = {
  POSTGRES_PASSWORD: "00ff",
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString("base64")}`,
  INNGEST_EVENT_KEY: "00ff",
  INNGEST_SIGNING_KEY: "00ff".repeat(16),
};
const interpolated = (value: string | number) =>
  String(value).replace(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)\}/g, (_, name, byDefault) => secrets[name] ?? byDefault ?? "");
const environment = (name: string) =>
  Object.fromEntries(
    Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [key, interpolated(value)]),
  );

describe("the image", () => {
  it("runs on a version of Node that package.json allows", () => {
    const [, major, minor] = /NODE_VERSION=(\d+)\.(\d+)\.\d+/.exec(dockerfile) ?? [];
    const [, least, leastMinor] = /^>=(\d+)\.(\d+)$/.exec(manifest.engines.node) ?? [];
    expect([Number(major) * 1_000 + Number(minor)][0]).toBeGreaterThanOrEqual(
      Number(least) * 1_000 + Number(leastMinor),
    );
  });

  it("starts as npm start does, as process 1 of a user without privileges", () => {
    const [command = "[]"] = of("CMD").slice(-1);
    const { variables, parameters } = startScript();
    expect(JSON.parse(command)).toEqual(["node", ...parameters]);
    expect(settings).toMatchObject(variables);
    expect(last.indexOf("USER node")).toBeGreaterThan(0);
    expect(last.filter((line) => line.startsWith("COPY")).some((line) => line.includes("--chown"))).toBe(false);
  });

  it("lets that user read the build", () => {
    expect(of("RUN").filter((line) => line.includes("npm run build"))).toEqual([
      "npm run build && node server/front-door/image.mjs /image && chmod -R a+rX /image",
    ]);
  });

  it("has what the build loads, and nothing else of the checkout", () => {
    expect(last.filter((line) => line.startsWith("COPY"))).toEqual(["COPY --from=build /image ./"]);
  });

  it("sets variables that exist, and serves the port that it exposes", () => {
    const others = ["NODE_ENV", "NEXT_TELEMETRY_DISABLED", ...Object.keys(startScript().variables)];
    const own = Object.keys(settings).filter((name) => !others.includes(name));
    expect(own.filter((name) => !variableNames.includes(name))).toEqual([]);
    expect(of("EXPOSE")).toEqual([settings.PORT]);
    expect(of("VOLUME")).toEqual([settings.DATA_DIR]);
  });

  it("checks readiness at a path that is served", () => {
    const [check = ""] = of("HEALTHCHECK");
    expect(check).toContain("/health/ready");
    expect(existsSync(resolve(root, "app/health/ready/route.ts"))).toBe(true);
  });

  it("copies what the sources are compared with, and neither secrets, backups nor this machine's build", () => {
    const ignored = read(".dockerignore").split("\n");
    expect(ignored).toEqual(
      expect.arrayContaining([".env", ".env.*", ".git", ".data", "*.dump", ".next", "node_modules"]),
    );
    for (const needed of ["app", "server", "components", "docs", "prisma", "package-lock.json", "next.config.js"])
      expect(ignored).not.toContain(needed);
  });
});

const defined = /^OTEL_/;

describe("compose.yaml", () => {
  it.each(ours)("%s has a role and variables that exist, and a configuration that is accepted", (name) => {
    const given = environment(name);
    expect(Object.keys(given).filter((key) => !variableNames.includes(key) && !defined.test(key))).toEqual([]);
    expect(roles).toContain(given.ALMANAC_ROLE);
    expect(given.ALMANAC_ROLE).toBe(name.replace(/-\d$/, ""));
    expect(readEnv({ ...settings, ...given })).toMatchObject({ PORT: 3000, METRICS_PORT: 9464 });
  });

  it.each(ours)("%s is given every variable of .env, and those for traces that OpenTelemetry defines", (name) => {
    const given = services[name]?.environment ?? {};
    const traces = `${read("docs/alerts.md")}${read("docs/configuration.md")}`.match(/OTEL_[A-Z_]+/g);
    expect(traces).not.toEqual([]);
    const missing = [...variableNames, ...(traces ?? [])].filter((key) => !(key in given));
    // The address that the port is published for, and the places of fakes.
    expect(missing.filter((key) => !(key in settings)).toSorted()).toEqual([
      "GOOGLE_BASE_URL",
      "HOST",
      "MICROSOFT_BASE_URL",
    ]);
  });

  it.each(ours)("%s does as much at once as .env says", (name) => {
    // So long that the proxy notices.
    const others: Record<string, string> = { DRAIN_GRACE_SECONDS: "5" };
    for (const capacity of Object.keys(capacities))
      expect(services[name]?.environment[capacity]).toBe(`\${${capacity}:-${others[capacity] ?? ""}}`);
  });

  it("gives all of them the same secrets, and names no secret itself", () => {
    expect(environment("web-1")).toEqual(environment("web-2"));
    expect({ ...environment("web-1"), ALMANAC_ROLE: "" }).toEqual({ ...environment("worker"), ALMANAC_ROLE: "" });
    const named = Object.values(services).flatMap(({ environment }) => Object.entries(environment ?? {}));
    const open = named.filter(
      ([key, value]) => /PASSWORD|SECRET|_KEYS?$/.test(key) && !/^\$\{\w+:[-?][^}]*\}$/.test(String(value)),
    );
    expect(open).toEqual([]);
  });

  it.each(ours)("%s can change nothing but /tmp and its volume, and has no privileges", (name) => {
    expect(services[name]).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      tmpfs: ["/tmp"],
      security_opt: ["no-new-privileges:true"],
      restart: "unless-stopped",
    });
  });

  it.each(ours)("%s has the time that its drain takes", (name) => {
    const { DRAIN_GRACE_SECONDS, DRAIN_SECONDS } = readEnv({ ...settings, ...environment(name) });
    expect(services[name]?.stop_grace_period).toBe(`${DRAIN_GRACE_SECONDS + DRAIN_SECONDS + 10}s`);
  });

  it("reaches each service at the port that it serves", () => {
    const { PORT } = settings;
    expect(environment("web-1").INNGEST_SERVE_ORIGIN).toBe(`http://worker:${PORT}`);
    expect(services.inngest?.command).toContain(`--sdk-url http://worker:${PORT}/api/inngest`);
    expect(services.inngest?.command).toContain(`--port ${new URL(environment("web-1").INNGEST_BASE_URL ?? "").port}`);
    expect(services.proxy?.ports).toEqual([`\${PORT:-${PORT}}:${PORT}`]);
    for (const name of ours) expect(services[name]?.ports).toBeUndefined();
    const hosts = ["DATABASE_URL", "REDIS_URL", "INNGEST_BASE_URL"].map(
      (name) => new URL(environment("web-1")[name] ?? "").hostname,
    );
    expect(hosts).toEqual(["postgres", "redis", "inngest"]);
  });

  it("has the services whose logs the guides name", () => {
    const guides = readdirSync(resolve(root, "docs")).filter((name) => name.endsWith(".md"));
    const commands = guides.flatMap((name) => [...read(`docs/${name}`).matchAll(/docker compose logs ([^`|\n]+)/g)]);
    const named = commands.flatMap(([, words = ""]) =>
      words
        .replaceAll(/--\S+ \S+/g, "")
        .trim()
        .split(/ +/),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !(name in services))).toEqual([]);
  });

  it("publishes nothing but the proxy, except to this machine", () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
    expect(published.filter(([name, port]) => name !== "proxy" && !port?.startsWith("127.0.0.1:"))).toEqual([]);
  });

  it("replaces one web process after the other, and the proxy with neither", () => {
    const healthy = { condition: "service_healthy" };
    const [first, second, proxy] = ["web-1", "web-2", "proxy"].map((name) => services[name]?.depends_on as object);
    expect(second).toEqual({ ...first, "web-1": healthy });
    expect(proxy).toEqual({ "web-1": healthy, "web-2": healthy });
  });

  it("waits for the health of every service, which each can say", () => {
    for (const [name, service] of Object.entries(services)) {
      const conditions = Object.values((service.depends_on ?? {}) as Record<string, object>);
      expect(conditions.filter((one) => !("condition" in one && one.condition === "service_healthy"))).toEqual([]);
      // The image of Almanac has one.
      expect([name, ours.some((own) => own === name) || service.healthcheck !== undefined]).toEqual([name, true]);
    }
  });

  it("trusts the proxy alone with addresses of clients, and proxies that .env names", () => {
    const { networks } = compose.services.proxy as { networks: { default: { ipv4_address: string } } };
    const address = networks.default.ipv4_address;
    const { TRUSTED_PROXIES } = readEnv({ ...settings, ...environment("web-1") });
    expect(TRUSTED_PROXIES).toEqual(readEnv({ ...settings, TRUSTED_PROXIES: address }).TRUSTED_PROXIES);
    expect(services["web-1"]?.environment.TRUSTED_PROXIES).toBe(`${address},\${TRUSTED_PROXIES:-}`);
  });

  it("asks for the secrets that the documentation generates", () => {
    const asked = [...read("compose.yaml").matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    const guide = read("docs/install.md");
    expect([...new Set(asked)].toSorted()).toEqual(Object.keys(secrets).toSorted());
    for (const name of asked) expect(guide).toContain(`${name}=`);
  });

  it("gives the proxy the web processes, their health and the time to notice it", () => {
    const config = read("docs/haproxy.cfg");
    const servers = ours.filter((name) => name.startsWith("web"));
    const backends = config.split(/^backend /m).slice(1);
    for (const backend of backends)
      expect([...backend.matchAll(/^ +server (\S+) (\S+)$/gm)].map(([, name, at]) => [name, at])).toEqual(
        servers.map((name) => [name, `${name}:${settings.PORT}`]),
      );
    expect(config).toContain(`bind :${settings.PORT}\n`);
    const [, path = ""] = /http-check send meth GET uri (\S+)/.exec(config) ?? [];
    expect(existsSync(resolve(root, `app${path}/route.ts`))).toBe(true);
    const [, interval, falls] = /check inter (\d+)s fall (\d+)/.exec(config) ?? [];
    const { DRAIN_GRACE_SECONDS } = readEnv({ ...settings, ...environment("web-1") });
    expect(DRAIN_GRACE_SECONDS).toBeGreaterThan((Number(falls) + 1) * Number(interval));
    expect(services.proxy?.volumes).toEqual(["./docs/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro"]);
  });

  it("gives PostgreSQL a connection for each pool", () => {
    const { DATABASE_POOL } = readEnv({ ...settings, ...environment("web-1") });
    const most = Number(/max_connections=(\d+)/.exec(String(services.postgres?.command))?.[1]);
    expect(most).toBeGreaterThanOrEqual(10 * (DATABASE_POOL + 2) + 10);
  });
});
