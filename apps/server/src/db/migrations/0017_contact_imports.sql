CREATE TABLE "contact_import_rows" (
	"tenant_id" integer NOT NULL,
	"import_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"cells" text[] NOT NULL,
	"fields" jsonb,
	"keys" text[],
	"outcome" text,
	"reason" text,
	"is_written" boolean DEFAULT false NOT NULL,
	"contact_id" uuid,
	"before" jsonb,
	"after" jsonb,
	CONSTRAINT "contact_import_rows_tenant_id_import_id_line_pk" PRIMARY KEY("tenant_id","import_id","line")
);
--> statement-breakpoint
CREATE TABLE "contact_imports" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"source" text NOT NULL,
	"name" text NOT NULL,
	"size" bigint,
	"sha256" text,
	"reading" jsonb,
	"headings" text[] DEFAULT '{}' NOT NULL,
	"headings_key" text DEFAULT '' NOT NULL,
	"mapping" jsonb NOT NULL,
	"options" jsonb NOT NULL,
	"state" text DEFAULT 'reading' NOT NULL,
	"is_automatic" boolean DEFAULT false NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"counts" jsonb NOT NULL,
	"error" text,
	"job_id" uuid,
	"user_id" uuid NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"rows_until" timestamp (3) with time zone,
	"undone_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contact_imports_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "import_id" uuid;--> statement-breakpoint
ALTER TABLE "contact_import_rows" ADD CONSTRAINT "contact_import_rows_tenant_id_import_id_contact_imports_tenant_id_id_fk" FOREIGN KEY ("tenant_id","import_id") REFERENCES "public"."contact_imports"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD CONSTRAINT "contact_imports_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contact_import_rows_contact" ON "contact_import_rows" USING btree ("tenant_id","contact_id") WHERE "contact_import_rows"."contact_id" is not null;--> statement-breakpoint
CREATE INDEX "contact_imports_recent" ON "contact_imports" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "contact_imports_headings" ON "contact_imports" USING btree ("tenant_id","headings_key","created_at");--> statement-breakpoint
CREATE INDEX "contact_imports_old" ON "contact_imports" USING btree ("rows_until") WHERE "contact_imports"."rows_until" is not null;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_tenant_id_import_id_contact_imports_tenant_id_id_fk" FOREIGN KEY ("tenant_id","import_id") REFERENCES "public"."contact_imports"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contacts_import" ON "contacts" USING btree ("tenant_id","import_id","id") WHERE "contacts"."import_id" is not null;