ALTER TABLE "assistant_evaluations" ADD COLUMN "version_id" uuid;--> statement-breakpoint
ALTER TABLE "assistants" ADD COLUMN "evaluates_nightly" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "assistants" ADD COLUMN "evaluate_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "assistants_evaluate" ON "assistants" USING btree ("evaluate_at") WHERE "assistants"."evaluate_at" is not null;