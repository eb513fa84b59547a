CREATE TABLE "report_views" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"user_id" uuid NOT NULL,
	"report" text NOT NULL,
	"is_shared" boolean DEFAULT false NOT NULL,
	"query" text DEFAULT '' NOT NULL,
	"mail_every" text DEFAULT 'never' NOT NULL,
	"mail_to" text[] DEFAULT '{}' NOT NULL,
	"mail_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "report_views_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "report_views" ADD CONSTRAINT "report_views_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "report_views_name" ON "report_views" USING btree ("tenant_id","user_id",lower("name"));--> statement-breakpoint
CREATE INDEX "report_views_shared" ON "report_views" USING btree ("tenant_id","is_shared","name");--> statement-breakpoint
CREATE INDEX "report_views_due" ON "report_views" USING btree ("mail_at") WHERE "report_views"."mail_at" is not null;