ALTER TABLE "connection_pace" DROP COLUMN "rest_ms";--> statement-breakpoint
ALTER TABLE "connection_pace" DROP COLUMN "jitter_percent";--> statement-breakpoint
ALTER TABLE "connection_pace" DROP COLUMN "burst";