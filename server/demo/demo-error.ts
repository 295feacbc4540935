/** A foreseen reason why the demo cannot go on, in a sentence for whoever ran it. */
export class DemoError extends Error {
  override name = "DemoError";
}
