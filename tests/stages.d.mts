export function leftOut(names: readonly string[]): string[];
export function unknownSteps(names: readonly string[]): string[];
export function stages(names: readonly string[]): string[][][];
