export interface CyrusPrograms {
  master: string;
  /** The folder of those that it starts. */
  programs: string;
  libraries: string[];
}
export function findCyrus(): CyrusPrograms | undefined;
export function installCyrus(): void;
