declare global {
  var almanacDraining: boolean | undefined;
}

/** From here on this process finishes what it has, and says that it is not ready for more. */
export function startDraining(): void {
  globalThis.almanacDraining = true;
}

/** Next loads this module apart from the front door, so the state lives on `globalThis`. */
export function isDraining(): boolean {
  return globalThis.almanacDraining ?? false;
}
