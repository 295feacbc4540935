import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

/**
 * Run after each `npm install` that changes the lockfile: adds the optional packages of other platforms that the registry at
 * hand did not offer, so that `npm ci` accepts the lockfile everywhere, and takes the registry's addresses out. What has no checksum yet
 * gets the registry's, where that has the package.
 */
const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const systems = ["darwin", "win32", "linux", "android", "freebsd", "netbsd", "openbsd", "sunos", "aix", "openharmony"];
const processors = ["arm64", "x64", "ia32", "arm", "ppc64", "riscv64", "s390x", "loong64", "mips64el"];

for (const [path, parent] of Object.entries(lock.packages)) {
  delete parent.resolved;
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const known = [`${path}/node_modules/${name}`, `node_modules/${name}`].some((place) => place in lock.packages);
    if (known) continue;
    if (!/^\d/.test(version)) throw new Error(`${name} ${version}: only exact versions can be added`);
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(name.includes("wasm32") ? { cpu: ["wasm32"] } : platform(name)),
      ...(parent.dev && { dev: true }),
      optional: true,
    };
  }
}
for (const [path, locked] of Object.entries(lock.packages)) {
  if (path === "" || locked.integrity) continue;
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const integrity = integrityOf(`${name}@${locked.version}`);
  if (integrity) locked.integrity = integrity;
  else process.stdout.write(`${name} ${locked.version}: no checksum: the configured registry does not provide one\n`);
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);

function platform(name) {
  const os = systems.find((system) => name.includes(system));
  const cpu = processors.find((processor) => name.split(/[-/]/).includes(processor));
  if (!os || !cpu) throw new Error(`${name}: its name does not say which platform it is for`);
  const libc = os !== "linux" ? undefined : name.includes("musl") ? "musl" : "glibc";
  return { os: [os], cpu: [cpu], ...(libc && { libc: [libc] }) };
}

function integrityOf(spec) {
  try {
    return execFileSync("npm", ["view", spec, "dist.integrity"], {
      stdio: ["ignore", "pipe", "ignore"],
      encoding: "utf8",
    }).trim();
  } catch {
    return undefined;
  }
}
