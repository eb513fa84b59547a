ALTER TABLE "tickets" ADD COLUMN "last_author_id" uuid;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_tenant_id_last_author_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","last_author_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
-- Who wrote last in what is there. Forced policies would hold the tables' owner back as well; they are forced again after
-- every migration.
ALTER TABLE "tickets" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "messages" NO FORCE ROW LEVEL SECURITY;--> statement-breakpoint
UPDATE "tickets" t SET "last_author_id" = (
  SELECT m."user_id" FROM "messages" m WHERE m."tenant_id" = t."tenant_id" AND m."ticket_id" = t."id" AND m."type" NOT IN ('note', 'system')
  ORDER BY m."seq" DESC LIMIT 1) WHERE t."answered";
