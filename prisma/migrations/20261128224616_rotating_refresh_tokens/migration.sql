-- rolling: safe: columns that the previous version neither reads nor writes, with defaults that change nothing
ALTER TABLE "applications" ADD COLUMN     "self_registered" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "grants" ADD COLUMN     "next_refresh_hashes" BYTEA[] DEFAULT ARRAY[]::BYTEA[];
