export function findPgbouncer(): string | undefined;
export function missingPgbouncer(): string[];
export function installPgbouncer(): void;
