export function findPgbouncer(): string | undefined;
export function ensurePgbouncer(): void;
