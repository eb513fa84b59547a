CREATE TABLE "file_uses" (
	"tenant_id" integer NOT NULL,
	"file_id" uuid NOT NULL,
	"entity" text NOT NULL,
	"entity_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "file_uses_tenant_id_file_id_entity_entity_id_pk" PRIMARY KEY("tenant_id","file_id","entity","entity_id")
);
--> statement-breakpoint
ALTER TABLE "file_uses" ADD CONSTRAINT "file_uses_tenant_id_file_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","file_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "file_uses_ending" ON "file_uses" USING btree ("expires_at") WHERE "file_uses"."expires_at" is not null;--> statement-breakpoint
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_id_logo_media_id_files_tenant_id_id_fk" FOREIGN KEY ("id","logo_media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE no action ON UPDATE no action;