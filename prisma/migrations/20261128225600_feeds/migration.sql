-- rolling: stop-first: the previous version's client can't read profiles with these values
-- AlterEnum
ALTER TYPE "provider" ADD VALUE 'feed';

-- AlterEnum
ALTER TYPE "provider_service" ADD VALUE 'feed';
