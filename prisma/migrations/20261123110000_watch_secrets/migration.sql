-- The secret of a watch follows from its channel and the encryption key: there is nothing to compare it with.
ALTER TABLE "provider_watches" DROP COLUMN "secret_hash";
