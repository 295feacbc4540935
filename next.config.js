/** @type {import("next").NextConfig} */
export default {
  compress: false,
  experimental: {
    // A page is loaded with its first request. At the start, all of them take a second and 25 MB.
    preloadEntriesOnStart: false,
    // A build takes two fifths longer with a cache for the next one, and with maps of what runs on the server, which Node does not read (ADR 62).
    turbopackFileSystemCacheForBuild: false,
    turbopackSourceMaps: false,
  },
  poweredByHeader: false,
  generateEtags: false,
  skipTrailingSlashRedirect: true,
  // A page's title belongs into its first bytes, for every client: Next would send it after the page to all but some robots.
  htmlLimitedBots: /.*/,
  serverExternalPackages: ["pg", "pino", "@prisma/adapter-pg", "@electric-sql/pglite", "inngest"],
  // Types are checked by `npm run check`; a start that builds does not wait for it.
  typescript: { ignoreBuildErrors: true },
  turbopack: {
    root: import.meta.dirname,
    rules: {
      "**/@trpc/server/dist/getErrorShape-*.mjs": { loaders: ["./server/front-door/native-spread.cjs"], as: "*.mjs" },
    },
  },
};
