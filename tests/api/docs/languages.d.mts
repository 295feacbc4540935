export function findLanguage(name: string): string | undefined;
export function ensureLanguages(): void;
