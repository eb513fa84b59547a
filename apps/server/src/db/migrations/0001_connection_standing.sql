ALTER TABLE "connections" ADD COLUMN "account" jsonb;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "stopped_at" timestamp (3) with time zone;