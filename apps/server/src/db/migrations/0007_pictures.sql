CREATE TABLE "pictures" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"contact_id" uuid,
	"file_id" uuid,
	"source" text,
	"asked_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "pictures_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_tenant_id_file_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "pictures_contact" ON "pictures" USING btree ("tenant_id","contact_id") WHERE "pictures"."contact_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "pictures_account" ON "pictures" USING btree ("tenant_id","connection_id") WHERE "pictures"."contact_id" is null;--> statement-breakpoint
CREATE INDEX "pictures_line" ON "pictures" USING btree ("tenant_id","connection_id","due_at") WHERE "pictures"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "pictures_due" ON "pictures" USING btree ("due_at") WHERE "pictures"."due_at" is not null;