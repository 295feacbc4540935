import { context, newContext } from "@/server/context";
import { forgetLoops } from "@/server/jobs/work-kinds";

/** Makes the process what it is when it begins. Names of statements stay, since modules name them once, when they are loaded. */
export function freshContext(): void {
  const { statementNames } = context;
  for (const name of Object.keys(context)) Reflect.deleteProperty(context, name);
  Object.assign(context, newContext(), { statementNames });
  forgetLoops();
}
