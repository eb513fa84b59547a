CREATE TABLE "lanes" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"color" text NOT NULL,
	"position" integer NOT NULL,
	"limit" integer,
	"is_active" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lanes_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "business_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "document" text;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "address" jsonb;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "lane_id" uuid;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "lane_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "lanes_name" ON "lanes" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_tenant_id_lane_id_lanes_tenant_id_id_fk" FOREIGN KEY ("tenant_id","lane_id") REFERENCES "public"."lanes"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "contacts_document" ON "contacts" USING btree ("tenant_id","document") WHERE "contacts"."document" is not null;--> statement-breakpoint
CREATE INDEX "contacts_lane" ON "contacts" USING btree ("tenant_id","lane_id","lane_at","id") WHERE "contacts"."lane_id" is not null;--> statement-breakpoint
ALTER TABLE "tickets" DROP COLUMN "kanban_id";