export function needed(step: string): number;
export function lacking(step: string, mayInstall: boolean): string[];
