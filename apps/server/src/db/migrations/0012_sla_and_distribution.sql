ALTER TABLE "tickets" ADD COLUMN "sla_paused_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "distributed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "sla_stale_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "tickets_distributed" ON "tickets" USING btree ("tenant_id","user_id") WHERE "tickets"."distributed_at" is not null;