import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readEnv, roles, variableNames } from "@/server/env";

const root = resolve(import.meta.dirname, "../../..");
const folder = join(root, "docs", "kubernetes");
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml") && name !== "kustomization.yaml");
const read = (name: string) => readFileSync(join(folder, name), "utf8");

/** A manifest, as far as this looks into it. */
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  // biome-ignore lint/suspicious/noExplicitAny: what it may be is checked with the published types
  [part: string]: any;
}

const manifests = files.flatMap((file) => parseAllDocuments(read(file)).map((one) => one.toJS() as Manifest));
const of = (kind: string, name: string) => {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
const processes = ["web", "worker"] as const;
const podOf = (role: string) => of("Deployment", `almanac-${role}`).spec.template.spec;
const containerOf = (role: string) => podOf(role).containers[0];
const settings: Record<string, string> = of("ConfigMap", "almanac").data;
const labels = (role: string) => ({ "app.kubernetes.io/name": "almanac", "app.kubernetes.io/component": role });

/** Checks manifests with the types that are generated from Kubernetes' own schemas: unknown fields, missing ones and wrong values. */
function mistakes(all: readonly Manifest[]): string {
  const scratch = join(root, "node_modules", ".cache", "almanac", `kubernetes-${process.pid}`);
  mkdirSync(scratch, { recursive: true });
  const modules: Record<string, string> = { v1: "core/v1" };
  const lines = all.map(({ apiVersion, ...rest }, at) => {
    const module = modules[apiVersion] ?? apiVersion.replace(/\.k8s\.io\//, "/");
    const whole = JSON.stringify({ apiVersion, ...rest });
    return `export const manifest${at}: import("kubernetes-types/${module}").${rest.kind} = ${whole};`;
  });
  const file = join(scratch, "manifests.ts");
  writeFileSync(file, lines.join("\n"));
  try {
    const tsc = join(root, "node_modules", ".bin", "tsc");
    const options = [
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--ignoreConfig",
      "--types",
      "",
      "--module",
      "esnext",
      "--moduleResolution",
      "bundler",
    ];
    execFileSync(tsc, [...options, file], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    return "";
  } catch (error) {
    return String((error as { stdout?: string }).stdout);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

afterAll(() =>
  rmSync(join(root, "node_modules", ".cache", "almanac", `kubernetes-${process.pid}`), {
    recursive: true,
    force: true,
  }),
);

describe("the manifests for Kubernetes", () => {
  it("have the fields that Kubernetes publishes, and no others", () => {
    expect(mistakes(manifests)).toBe("");
  });

  it("are refused for a field that is misspelled, deep in them too, or missing", () => {
    const web = of("Deployment", "almanac-web");
    const spoiled = structuredClone(web);
    spoiled.spec.template.spec.containers[0].livenessProbe.periodSecond = 10;
    const scaler = structuredClone(of("HorizontalPodAutoscaler", "almanac-web"));
    delete scaler.spec.maxReplicas;
    const found = mistakes([web, spoiled, scaler]);
    expect(found).toContain("periodSecond");
    expect(found).toContain("maxReplicas");
    expect(found).not.toContain("manifest0");
  });

  it("are listed by the kustomization, except the examples", () => {
    const { resources, images, namespace } = parse(read("kustomization.yaml"));
    expect(resources.toSorted()).toEqual(files.filter((name) => !name.includes(".example.")).toSorted());
    expect(images[0].name).toBe(containerOf("web").image);
    for (const name of files.filter((file) => file.includes(".example.")))
      expect(parse(read(name)).metadata.namespace).toBe(namespace);
  });

  it("give variables that exist, and a configuration that is accepted", () => {
    const secret: Record<string, string> = of("Secret", "almanac").stringData;
    const names = [...Object.keys(settings), ...Object.keys(secret)];
    expect(names.filter((name) => !variableNames.includes(name))).toEqual([]);
    expect(names.filter((name) => name in settings && name in secret)).toEqual([]);
    const given = {
      ...settings,
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString("base64")}`,
      DATABASE_URL: secret.DATABASE_URL?.replace("<password>", "secret"),
    };
    for (const role of processes) {
      const [{ name, value }] = containerOf(role).env;
      expect([name, roles.includes(value)]).toEqual(["ALMANAC_ROLE", true]);
      expect(readEnv({ ...given, [name]: value })).toMatchObject({ ALMANAC_ROLE: role, METRICS_PORT: 9464 });
      expect(containerOf(role).envFrom).toEqual([
        { configMapRef: { name: "almanac" } },
        { secretRef: { name: "almanac" } },
      ]);
    }
  });

  it.each(processes)("%s is asked for its health at paths that are served", (role) => {
    const { startupProbe, readinessProbe, livenessProbe, ports } = containerOf(role);
    const paths = [startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.path);
    expect(paths).toEqual(["/health/live", "/health/ready", "/health/live"]);
    for (const path of paths) expect(existsSync(join(root, "app", path, "route.ts"))).toBe(true);
    expect(ports).toEqual([
      { name: "http", containerPort: 3000 },
      { name: "metrics", containerPort: Number(settings.METRICS_PORT) },
    ]);
  });

  it.each(processes)("%s has the time that its end takes", (role) => {
    const { DRAIN_GRACE_SECONDS, DRAIN_SECONDS } = settings;
    const before = Number(containerOf(role).lifecycle?.preStop.exec.command[1] ?? 0);
    const sum = before + Number(DRAIN_GRACE_SECONDS) + Number(DRAIN_SECONDS) + 10;
    expect(podOf(role).terminationGracePeriodSeconds).toBe(sum);
  });

  it("web goes on for some seconds before it is told to end", () => {
    expect(containerOf("web").lifecycle.preStop.exec.command[0]).toBe("sleep");
  });

  it.each(processes)("%s can change nothing but its own folders, and has no privileges", (role) => {
    const pod = podOf(role);
    const { securityContext, volumeMounts, resources } = containerOf(role);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(securityContext).toEqual({
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
      capabilities: { drop: ["ALL"] },
    });
    expect(volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual(["/tmp", "/data"]);
    expect(resources).toMatchObject({
      requests: { memory: expect.any(String) },
      limits: { memory: expect.any(String) },
    });
  });

  it.each(processes)("%s is replaced one after the other, and found by its labels", (role) => {
    const { strategy, selector, template, replicas } = of("Deployment", `almanac-${role}`).spec;
    expect(strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(replicas).toBeUndefined();
    expect(selector.matchLabels).toEqual(labels(role));
    expect(template.metadata.labels).toEqual(labels(role));
    expect(of("Service", `almanac-${role}`).spec.selector).toEqual(labels(role));
    expect(of("PodDisruptionBudget", `almanac-${role}`).spec).toEqual({
      ...{ maxUnavailable: 1, selector: { matchLabels: labels(role) } },
    });
    expect(of("NetworkPolicy", `almanac-${role}`).spec.podSelector.matchLabels).toEqual(labels(role));
    const { scaleTargetRef, minReplicas } = of("HorizontalPodAutoscaler", `almanac-${role}`).spec;
    expect([scaleTargetRef.kind, scaleTargetRef.name, minReplicas]).toEqual(["Deployment", `almanac-${role}`, 2]);
  });

  it("workers are scaled by a metric that they have, which the guide's adapter passes on", () => {
    const { name } = of("HorizontalPodAutoscaler", "almanac-worker").spec.metrics[0].external.metric;
    expect(readFileSync(join(root, "server/front-door/metrics/registry.ts"), "utf8")).toContain(`"${name}"`);
    expect(readFileSync(join(root, "docs/kubernetes.md"), "utf8")).toContain(`seriesQuery: ${name}{`);
  });
});
