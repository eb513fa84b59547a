CREATE TABLE "contact_fields" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"key" text NOT NULL,
	"type" text NOT NULL,
	"options" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contact_fields_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "contact_identities" ADD COLUMN "used_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "contact_fields_key" ON "contact_fields" USING btree ("tenant_id",lower("key"));--> statement-breakpoint
CREATE UNIQUE INDEX "contact_fields_name" ON "contact_fields" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE INDEX "contacts_same_email" ON "contacts" USING btree ("tenant_id","email") WHERE "contacts"."email" is not null and "contacts"."merged_into_id" is null;--> statement-breakpoint
CREATE INDEX "contacts_same_phone" ON "contacts" USING btree ("tenant_id",right("number", 8)) WHERE "contacts"."number" is not null and "contacts"."merged_into_id" is null;--> statement-breakpoint
CREATE INDEX "contacts_same_name" ON "contacts" USING btree ("tenant_id",norm("name")) WHERE not "contacts"."is_group" and "contacts"."merged_into_id" is null;--> statement-breakpoint
CREATE INDEX "contacts_merged" ON "contacts" USING btree ("tenant_id","merged_into_id") WHERE "contacts"."merged_into_id" is not null;--> statement-breakpoint
CREATE INDEX "messages_gallery" ON "messages" USING btree ("tenant_id","contact_id","seq") WHERE "messages"."media_id" is not null;--> statement-breakpoint
-- A contact that became part of another is found no more (0001, 0004).
CREATE OR REPLACE FUNCTION find_contacts(pattern text, max integer) RETURNS TABLE (id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT c.id FROM contacts c
  WHERE c.tenant_id = current_setting('app.tenant_id')::int AND c.search LIKE norm(pattern) AND c.merged_into_id IS NULL
  LIMIT max
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_contacts(pattern text) RETURNS TABLE (id uuid, search text, created_at timestamptz, last_message_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT c.id, c.search, c.created_at, c.last_message_at FROM contacts c
  WHERE c.tenant_id = current_setting('app.tenant_id')::int AND c.search LIKE norm(pattern) AND c.merged_into_id IS NULL
$$;
