ALTER TABLE "schedules" ALTER COLUMN "created_by" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "rule" text;