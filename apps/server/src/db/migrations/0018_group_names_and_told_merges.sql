ALTER TABLE "contact_merges" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "name_told_at" timestamp (3) with time zone;