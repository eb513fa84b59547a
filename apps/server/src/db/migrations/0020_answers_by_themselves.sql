CREATE TABLE "auto_replies" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"starts" text NOT NULL,
	"keywords" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"is_first_only" boolean DEFAULT false NOT NULL,
	"after_id" uuid,
	"next_id" uuid,
	"connection_ids" uuid[] DEFAULT '{}' NOT NULL,
	"hours" text DEFAULT 'always' NOT NULL,
	"actions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"cooldown_seconds" integer DEFAULT 60 NOT NULL,
	"celular_teste" text,
	"user_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "auto_replies_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "auto_reply_choices" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"auto_reply_id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"said" text NOT NULL,
	"keyword" text,
	"mode" text,
	"problem" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "auto_reply_choices_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "auto_reply_parts" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"auto_reply_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"kind" text NOT NULL,
	"body" text DEFAULT '' NOT NULL,
	"media_id" uuid,
	"interactive" jsonb,
	CONSTRAINT "auto_reply_parts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "birthday_greetings" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "audience" ALTER COLUMN "created_by" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "birthday_media_id" uuid GENERATED ALWAYS AS ((options ->> 'birthdayMediaId')::uuid) STORED;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "birthdays_on" date;--> statement-breakpoint
ALTER TABLE "birthday_greetings" ADD COLUMN "connection_id" uuid;--> statement-breakpoint
ALTER TABLE "birthday_greetings" ADD COLUMN "refusal" text;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "auto_reply_id" uuid;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "auto_replied_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "audience" ADD COLUMN "media_id" uuid;--> statement-breakpoint
ALTER TABLE "audience" ADD COLUMN "template" jsonb;--> statement-breakpoint
ALTER TABLE "audience" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "audience" ADD COLUMN "rule" text DEFAULT 'Envio em massa' NOT NULL;--> statement-breakpoint
ALTER TABLE "auto_replies" ADD CONSTRAINT "auto_replies_tenant_id_after_id_auto_replies_tenant_id_id_fk" FOREIGN KEY ("tenant_id","after_id") REFERENCES "public"."auto_replies"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_replies" ADD CONSTRAINT "auto_replies_tenant_id_next_id_auto_replies_tenant_id_id_fk" FOREIGN KEY ("tenant_id","next_id") REFERENCES "public"."auto_replies"("tenant_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_replies" ADD CONSTRAINT "auto_replies_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_reply_choices" ADD CONSTRAINT "auto_reply_choices_tenant_id_auto_reply_id_auto_replies_tenant_id_id_fk" FOREIGN KEY ("tenant_id","auto_reply_id") REFERENCES "public"."auto_replies"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_reply_choices" ADD CONSTRAINT "auto_reply_choices_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_reply_choices" ADD CONSTRAINT "auto_reply_choices_tenant_id_connection_id_connections_tenant_id_id_fk" FOREIGN KEY ("tenant_id","connection_id") REFERENCES "public"."connections"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_reply_parts" ADD CONSTRAINT "auto_reply_parts_tenant_id_auto_reply_id_auto_replies_tenant_id_id_fk" FOREIGN KEY ("tenant_id","auto_reply_id") REFERENCES "public"."auto_replies"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_reply_parts" ADD CONSTRAINT "auto_reply_parts_tenant_id_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "auto_replies_order" ON "auto_replies" USING btree ("tenant_id","position","id");--> statement-breakpoint
CREATE INDEX "auto_replies_after" ON "auto_replies" USING btree ("tenant_id","after_id") WHERE "auto_replies"."after_id" is not null;--> statement-breakpoint
CREATE INDEX "auto_replies_next" ON "auto_replies" USING btree ("tenant_id","next_id") WHERE "auto_replies"."next_id" is not null;--> statement-breakpoint
CREATE INDEX "auto_reply_choices_recent" ON "auto_reply_choices" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "auto_reply_choices_rule" ON "auto_reply_choices" USING btree ("tenant_id","auto_reply_id","created_at","id");--> statement-breakpoint
CREATE INDEX "auto_reply_choices_ticket" ON "auto_reply_choices" USING btree ("tenant_id","ticket_id","created_at");--> statement-breakpoint
CREATE INDEX "auto_reply_choices_connection" ON "auto_reply_choices" USING btree ("tenant_id","connection_id");--> statement-breakpoint
CREATE UNIQUE INDEX "auto_reply_parts_order" ON "auto_reply_parts" USING btree ("tenant_id","auto_reply_id","position");--> statement-breakpoint
CREATE INDEX "auto_reply_parts_media" ON "auto_reply_parts" USING btree ("tenant_id","media_id") WHERE "auto_reply_parts"."media_id" is not null;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_tenant_id_birthday_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","birthday_media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audience" ADD CONSTRAINT "audience_tenant_id_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "connections_birthdays" ON "connections" USING btree ("tenant_id","id") WHERE "connections"."options" @> '{"birthday": true}' and "connections"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "connections_birthday_media" ON "connections" USING btree ("tenant_id","birthday_media_id") WHERE "connections"."birthday_media_id" is not null;--> statement-breakpoint
CREATE INDEX "birthday_greetings_recent" ON "birthday_greetings" USING btree ("tenant_id","created_at");--> statement-breakpoint
CREATE TRIGGER directory_changed AFTER INSERT OR UPDATE OR DELETE ON auto_replies FOR EACH ROW EXECUTE FUNCTION count_directory_change('autoReplies');
CREATE TRIGGER directory_changed AFTER INSERT OR UPDATE OR DELETE ON auto_reply_parts FOR EACH ROW EXECUTE FUNCTION count_directory_change('autoReplies');
