ALTER TABLE "tickets" ADD COLUMN "not_sent" text;--> statement-breakpoint
CREATE INDEX "messages_not_sent" ON "messages" USING btree ("tenant_id","ticket_id") WHERE "messages"."status" in ('failed', 'uncertain') and not "messages"."is_deleted";--> statement-breakpoint
CREATE INDEX "tickets_not_sent" ON "tickets" USING btree ("tenant_id","status","id") WHERE "tickets"."not_sent" is not null;--> statement-breakpoint
-- What was not sent before. Forced policies would hold the tables' owner back as well; they are forced again after every
-- migration.
ALTER TABLE "tickets" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "messages" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
UPDATE "tickets" t SET "not_sent" = m."worst" FROM (
  SELECT "tenant_id", "ticket_id", min("status") AS "worst" FROM "messages"
  WHERE "status" IN ('failed', 'uncertain') AND NOT "is_deleted" GROUP BY 1, 2) m
WHERE m."tenant_id" = t."tenant_id" AND m."ticket_id" = t."id";
