/** Preloaded into a service: at its end it writes which packages it has loaded. */
const { writeFileSync } = require("node:fs");

process.on("exit", () => {
  const found = Object.keys(require.cache).flatMap(
    (file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [],
  );
  writeFileSync(process.env.LOADED_PACKAGES, JSON.stringify([...new Set(found)].sort()));
});
