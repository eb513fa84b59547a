ALTER TABLE "connections" ADD COLUMN "trouble_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "alarmed_at" timestamp (3) with time zone;