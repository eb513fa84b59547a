ALTER TABLE "deliveries" ADD COLUMN "url" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "answer" jsonb;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "tried_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "revived_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "deliveries_dead" ON "deliveries" USING btree ("tenant_id","consumer_id","seq") WHERE "deliveries"."state" = 'dead';