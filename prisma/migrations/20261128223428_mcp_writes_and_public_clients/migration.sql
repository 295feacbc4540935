-- rolling: safe: switches that the previous version neither reads nor writes, off by default
ALTER TABLE "applications" ADD COLUMN     "mcp_writes" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "public_client" BOOLEAN NOT NULL DEFAULT false;
