CREATE TABLE "tag_groups" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"color" text NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tag_groups_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "quick_folders" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"scope" text NOT NULL,
	"user_id" uuid NOT NULL,
	"queue_id" uuid,
	"position" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "quick_folders_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "quick_message_parts" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"quick_message_id" uuid NOT NULL,
	"position" smallint NOT NULL,
	"kind" text NOT NULL,
	"body" text DEFAULT '' NOT NULL,
	"media_id" uuid,
	"interactive" jsonb,
	CONSTRAINT "quick_message_parts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "quick_message_uses" (
	"tenant_id" integer NOT NULL,
	"quick_message_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"slot" smallint DEFAULT 0 NOT NULL,
	"count" integer NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "quick_message_uses_tenant_id_quick_message_id_user_id_slot_pk" PRIMARY KEY("tenant_id","quick_message_id","user_id","slot")
);
--> statement-breakpoint
ALTER TABLE "quick_messages" DROP CONSTRAINT "quick_messages_tenant_id_media_id_files_tenant_id_id_fk";
--> statement-breakpoint
ALTER TABLE "tags" ADD COLUMN "group_id" uuid;--> statement-breakpoint
ALTER TABLE "quick_messages" ADD COLUMN "folder_id" uuid;--> statement-breakpoint
ALTER TABLE "quick_messages" ADD COLUMN "is_active" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "quick_folders" ADD CONSTRAINT "quick_folders_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_folders" ADD CONSTRAINT "quick_folders_tenant_id_queue_id_queues_tenant_id_id_fk" FOREIGN KEY ("tenant_id","queue_id") REFERENCES "public"."queues"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_message_parts" ADD CONSTRAINT "quick_message_parts_tenant_id_quick_message_id_quick_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","quick_message_id") REFERENCES "public"."quick_messages"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_message_parts" ADD CONSTRAINT "quick_message_parts_tenant_id_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_message_uses" ADD CONSTRAINT "quick_message_uses_tenant_id_quick_message_id_quick_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","quick_message_id") REFERENCES "public"."quick_messages"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "tag_groups_name" ON "tag_groups" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "quick_folders_everyone" ON "quick_folders" USING btree ("tenant_id",lower("name")) WHERE "quick_folders"."scope" = 'everyone';--> statement-breakpoint
CREATE UNIQUE INDEX "quick_folders_queue" ON "quick_folders" USING btree ("tenant_id","queue_id",lower("name")) WHERE "quick_folders"."scope" = 'queue';--> statement-breakpoint
CREATE UNIQUE INDEX "quick_folders_mine" ON "quick_folders" USING btree ("tenant_id","user_id",lower("name")) WHERE "quick_folders"."scope" = 'mine';--> statement-breakpoint
CREATE UNIQUE INDEX "quick_message_parts_order" ON "quick_message_parts" USING btree ("tenant_id","quick_message_id","position");--> statement-breakpoint
CREATE INDEX "quick_message_parts_media" ON "quick_message_parts" USING btree ("tenant_id","media_id") WHERE "quick_message_parts"."media_id" is not null;--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_tenant_id_group_id_tag_groups_tenant_id_id_fk" FOREIGN KEY ("tenant_id","group_id") REFERENCES "public"."tag_groups"("tenant_id","id") ON DELETE SET NULL ("group_id") ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_messages" ADD CONSTRAINT "quick_messages_tenant_id_folder_id_quick_folders_tenant_id_id_fk" FOREIGN KEY ("tenant_id","folder_id") REFERENCES "public"."quick_folders"("tenant_id","id") ON DELETE SET NULL ("folder_id") ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tags_group" ON "tags" USING btree ("tenant_id","group_id");--> statement-breakpoint
CREATE INDEX "quick_messages_folder" ON "quick_messages" USING btree ("tenant_id","folder_id");--> statement-breakpoint
-- What was one message is one part; a file whose words are too long for a caption is followed by them.
INSERT INTO "quick_message_parts" ("tenant_id", "id", "quick_message_id", "position", "kind", "body", "media_id")
  SELECT "tenant_id", gen_random_uuid(), "id", 0, CASE WHEN "media_id" IS NULL THEN 'text' ELSE 'file' END,
    CASE WHEN "media_id" IS NULL OR length("message") <= 1024 THEN "message" ELSE '' END, "media_id" FROM "quick_messages"
  UNION ALL
  SELECT "tenant_id", gen_random_uuid(), "id", 1, 'text', "message", NULL FROM "quick_messages"
    WHERE "media_id" IS NOT NULL AND length("message") > 1024;--> statement-breakpoint
DELETE FROM "file_uses" WHERE "entity" = 'quick_messages.media_id';--> statement-breakpoint
-- With the triggers that watch it.
ALTER TABLE "quick_messages" DROP COLUMN "media_id" CASCADE;