export function findServer(name: string): string | undefined;
export function ensureServers(): boolean;
