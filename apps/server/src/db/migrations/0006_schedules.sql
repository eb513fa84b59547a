CREATE TABLE "schedules" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"body" text DEFAULT '' NOT NULL,
	"media_id" uuid,
	"due_at" timestamp (3) with time zone NOT NULL,
	"wall_time" text NOT NULL,
	"time_zone" text NOT NULL,
	"every_days" integer,
	"times_left" integer,
	"previous_id" uuid,
	"state" text DEFAULT 'pending' NOT NULL,
	"is_late" boolean DEFAULT false NOT NULL,
	"done_at" timestamp (3) with time zone,
	"message_id" uuid,
	"error" text,
	"attempt_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_by" uuid NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "schedules_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_tenant_id_contact_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","contact_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_tenant_id_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_tenant_id_created_by_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","created_by") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "schedules_previous" ON "schedules" USING btree ("tenant_id","previous_id") WHERE "schedules"."previous_id" is not null;--> statement-breakpoint
CREATE INDEX "schedules_by_due" ON "schedules" USING btree ("tenant_id","due_at","id");--> statement-breakpoint
CREATE INDEX "schedules_of_contact" ON "schedules" USING btree ("tenant_id","contact_id","due_at");--> statement-breakpoint
CREATE INDEX "schedules_waiting" ON "schedules" USING btree ("attempt_at") WHERE "schedules"."state" = 'pending';