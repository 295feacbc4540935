/**
 * A machine that is gone without a word would keep its locks: the system looks for the other side after two hours by itself, and sends what it
 * does not confirm again for a quarter of an hour (ADR 82). Milliseconds for the last, seconds for the others.
 */
const GONE_MACHINES = { tcp_keepalives_idle: 30, tcp_keepalives_interval: 10, tcp_user_timeout: 60_000 };

/**
 * Reports whether each connection has a backend of its own. The embedded database has one for all its connections,
 * where names would clash; it is reached through a socket's folder.
 */
export function hasBackends(connectionString: string | undefined): boolean {
  return connectionString !== undefined && !/[?&]host=/.test(connectionString);
}

/**
 * Builds the startup parameter `options` of a connection: that the server looks for machines that are gone, and more
 * settings. The embedded database has none.
 */
export function serverOptions(
  connectionString: string | undefined,
  more: Readonly<Record<string, string | number>> = {},
): string | undefined {
  if (!hasBackends(connectionString)) return undefined;
  return Object.entries({ ...more, ...GONE_MACHINES })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
}
