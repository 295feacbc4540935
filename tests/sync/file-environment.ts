import { beforeAll } from "vitest";
import { provideEnv } from "@/server/env";

/** The environment of this file, which has a database for itself already. Call it where the file begins; `env` is asked when its own beforeAlls before this have run. */
export function fileEnvironment(env: () => Record<string, string>): void {
  beforeAll(() => {
    provideEnv(env());
  });
}
