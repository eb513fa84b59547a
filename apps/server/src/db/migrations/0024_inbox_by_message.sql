DROP INDEX "tickets_inbox";--> statement-breakpoint
CREATE INDEX "tickets_inbox" ON "tickets" USING btree ("tenant_id","status",coalesce("last_message_at", "created_at"),"id");