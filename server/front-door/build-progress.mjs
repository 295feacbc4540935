const ON_A_TERMINAL_MS = 1_000;
const ON_LINES_MS = 5_000;

/**
 * Shows that something goes on, and for how long it has: on a terminal in one line that is rewritten each second, elsewhere with a line every five.
 * The function that it returns ends that with a last line, which is given how long it took.
 * @param {string} what
 * @param {{ isTTY?: boolean, write(text: string): unknown }} [out]
 * @returns {(last: (took: string) => string) => void}
 */
export function showProgress(what, out = process.stdout) {
  const began = performance.now();
  const seconds = () => `${Math.round((performance.now() - began) / 1_000)} s`;
  const show = () => out.write(out.isTTY ? `\r  ${seconds()}` : `  ${seconds()}\n`);
  out.write(`${what}…\n`);
  const timer = setInterval(show, out.isTTY ? ON_A_TERMINAL_MS : ON_LINES_MS).unref();
  return (last) => {
    clearInterval(timer);
    out.write(`${out.isTTY ? "\r\u001b[K" : ""}${last(seconds())}\n`);
  };
}
