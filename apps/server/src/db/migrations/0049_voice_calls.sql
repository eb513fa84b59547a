CREATE TABLE "voice_calls" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"integration_id" uuid NOT NULL,
	"ticket_id" uuid,
	"user_id" uuid,
	"direction" text DEFAULT 'outbound' NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"number" text NOT NULL,
	"assistant_id" text NOT NULL,
	"phone_number_id" text NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"problem" text,
	"asked_at" timestamp (3) with time zone,
	"provider_id" text,
	"ended_reason" text,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"summary" text DEFAULT '' NOT NULL,
	"transcript" text DEFAULT '' NOT NULL,
	"cost_usd" double precision,
	"has_recording" boolean DEFAULT false NOT NULL,
	"recording_media_id" uuid,
	"is_whole" boolean DEFAULT false NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now(),
	"attempts" integer DEFAULT 0 NOT NULL,
	"told_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "voice_calls_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "voice_calls" ADD CONSTRAINT "voice_calls_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_calls" ADD CONSTRAINT "voice_calls_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_calls" ADD CONSTRAINT "voice_calls_tenant_id_recording_media_id_files_tenant_id_id_fk" FOREIGN KEY ("tenant_id","recording_media_id") REFERENCES "public"."files"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "voice_calls_provider" ON "voice_calls" USING btree ("tenant_id","integration_id","provider_id") WHERE "voice_calls"."provider_id" is not null;--> statement-breakpoint
CREATE INDEX "voice_calls_due" ON "voice_calls" USING btree ("tenant_id","due_at") WHERE "voice_calls"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "voice_calls_ticket" ON "voice_calls" USING btree ("tenant_id","ticket_id","created_at");--> statement-breakpoint
CREATE INDEX "voice_calls_user" ON "voice_calls" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "voice_calls_recording" ON "voice_calls" USING btree ("tenant_id","recording_media_id");