# syntax=docker/dockerfile:1
# The version that the tests run on. Any from 20.19 works.
ARG NODE_VERSION=20.20.2

FROM node:${NODE_VERSION}-bookworm-slim AS dependencies
WORKDIR /app
# Without the rest of the sources, so that a change of those leaves this layer as it is. Installing generates Prisma Client from prisma/.
COPY package.json package-lock.json ./
COPY prisma ./prisma
RUN npm ci --omit=dev --no-audit --no-fund

FROM dependencies AS build
COPY . .
# Which commit this is: docker build --build-arg ALMANAC_COMMIT=$(git rev-parse HEAD)
ARG ALMANAC_COMMIT
# Of all that is installed, /image gets what the built service loads, and a list of that in sbom.cdx.json. Files of the empty embedded database are
# readable by their owner only, and that is not the user who copies them.
RUN npm run build && node server/front-door/image.mjs /image && chmod -R a+rX /image

FROM node:${NODE_VERSION}-bookworm-slim AS almanac
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 PORT=3000 DATA_DIR=/data \
  MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_TRIM_THRESHOLD_=8388608
WORKDIR /app
# Owned by root: the process can change nothing of it.
COPY --from=build /image ./
RUN install -d -o node -g node -m 700 /data
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=4s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
# As `npm start`, without npm in between: Node is process 1, drains on SIGTERM and starts no other processes.
CMD ["node", "--v8-pool-size=1", "server/front-door/launch.mjs"]
