/** Debian's own Python, which has the libraries of its packages. */
export const PYTHON: string;
export function missingClientLibraries(): string[];
export function installClientLibraries(): void;
