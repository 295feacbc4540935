-- rolling: safe: an index that the previous version makes no use of
CREATE INDEX "client_secrets_digest_idx" ON "client_secrets"("digest");
