/** Debian's own Python, which has the libraries of its packages. */
export const PYTHON: string;
/** Installs from Debian's packages what is missing, and says so. */
export function ensureClientLibraries(): void;
