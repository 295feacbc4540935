/** What of it is used: its own types, of an earlier version, do not know `preferred`. */
declare module "negotiator" {
  export default class Negotiator {
    constructor(request: { headers: Record<string, string> });
    /** Those that are acceptable, the best first; of equal ones in the order of `preferred`. */
    encodings(available: readonly string[], preferred: readonly string[]): string[];
  }
}
