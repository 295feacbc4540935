import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const isRoot = process.getuid?.() === 0;
// Root's Cyrus runs as nobody, who cannot look into root's home.
const cache = join(isRoot ? "/var/cache" : join(homedir(), ".cache"), "almanac-caldav-servers");
const own = join(cache, "cyrus");
const packages = ["cyrus-caldav", "cyrus-imapd"];

/** Where Cyrus's programs are: the system's, or else ours with the folders of their libraries; undefined when there are none. */
export function findCyrus() {
  return ["/", own].map(within).find(({ master, programs }) => {
    return [master, join(programs, "httpd"), join(programs, "imapd")].every((path) => existsSync(path));
  });
}

/**
 * Installs Cyrus from Debian's packages where it is missing, root or not: fetched and unpacked into a folder of ours, since
 * installed they would start a mail server for the whole machine.
 */
export function installCyrus() {
  if (!findCyrus() && existsSync("/usr/bin/apt-get")) unpack();
}

function within(root) {
  const folder = (name) => join(root, name);
  const named = (name) =>
    existsSync(folder(name)) ? readdirSync(folder(name)).map((one) => join(root, name, one)) : [];
  const libraries = [...named("usr/lib"), ...named("lib")].filter((path) => path.endsWith("-linux-gnu"));
  return {
    master: folder("usr/sbin/cyrmaster"),
    programs: folder("usr/lib/cyrus/bin"),
    libraries: root === "/" ? [] : [...libraries, folder("usr/lib/cyrus")],
  };
}

/** Twice, since the mirror may have newer packages than apt's lists know of. */
function unpack() {
  if (fetched()) return;
  if (isRoot) said("apt-get", ["update"]);
  fetched();
}

function fetched() {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "fetching-"));
  chmodSync(folder, 0o755);
  const root = join(folder, "root");
  const names = missingPackages();
  const isThere =
    names.length > 0 && said("apt-get", ["download", "-o", "APT::Sandbox::User=root", ...names], folder) !== null;
  const debs = isThere ? readdirSync(folder).filter((name) => name.endsWith(".deb")) : [];
  const isWhole = debs.length > 0 && debs.every((deb) => said("dpkg-deb", ["-x", deb, root], folder) !== null);
  if (isWhole && !existsSync(own)) renameSync(root, own);
  rmSync(folder, { recursive: true, force: true });
  return isWhole;
}

/** What an installation would bring, by a simulation of it. */
function missingPackages() {
  const plan = said("apt-get", ["install", "-s", "--no-install-recommends", ...packages]) ?? "";
  return [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name);
}

function said(command, args, cwd) {
  const { status, stdout } = spawnSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  return status === 0 ? stdout : null;
}
