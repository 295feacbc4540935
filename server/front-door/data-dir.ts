import { access, chmod, mkdir, constants as modes, stat } from "node:fs/promises";
import { codeOf, StartError } from "@/server/front-door/start-error";

const OWNER_ONLY = 0o700;

/** Makes the folder when it is missing and closes it to everybody but its owner. */
export async function dataDir(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: OWNER_ONLY });
    if (((await stat(folder)).mode & 0o777) !== OWNER_ONLY) await chmod(folder, OWNER_ONLY);
    await access(folder, modes.R_OK | modes.W_OK | modes.X_OK);
  } catch (error) {
    throw new StartError(
      `DATA_DIR ${folder} must be a folder that this user owns and can write to (${codeOf(error)}).`,
    );
  }
}
