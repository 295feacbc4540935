export function findServer(name: string): string | undefined;
export function missingServers(): string[];
export function installServers(): void;
