-- rolling: safe: a nullable column that the previous version neither reads nor writes; a reconnect link that it opens adds the calendar account to the same account, as a link token does
ALTER TABLE "link_tokens" ADD COLUMN     "profile_id" TEXT;
