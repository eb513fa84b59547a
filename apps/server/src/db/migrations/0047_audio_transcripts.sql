CREATE TABLE "audio_transcripts" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"ticket_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"error" text,
	"integration_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "audio_transcripts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "audio_transcripts" ADD CONSTRAINT "audio_transcripts_tenant_id_id_messages_tenant_id_id_fk" FOREIGN KEY ("tenant_id","id") REFERENCES "public"."messages"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audio_transcripts" ADD CONSTRAINT "audio_transcripts_tenant_id_ticket_id_tickets_tenant_id_id_fk" FOREIGN KEY ("tenant_id","ticket_id") REFERENCES "public"."tickets"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audio_transcripts_due" ON "audio_transcripts" USING btree ("tenant_id","due_at") WHERE "audio_transcripts"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "audio_transcripts_waiting" ON "audio_transcripts" USING btree ("tenant_id","ticket_id","seq") WHERE "audio_transcripts"."state" = 'waiting';--> statement-breakpoint
CREATE FUNCTION want_transcript() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM tenants t WHERE t.id = NEW.tenant_id AND (t.settings ->> 'transcribeAudios')::boolean) THEN
    INSERT INTO audio_transcripts (tenant_id, id, ticket_id, seq) VALUES (NEW.tenant_id, NEW.id, NEW.ticket_id, NEW.seq)
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER messages_transcript AFTER INSERT OR UPDATE OF media_state ON messages FOR EACH ROW
  WHEN (NEW.type = 'audio' AND NOT NEW.from_me AND NEW.media_state = 'ready' AND NEW.media_id IS NOT NULL AND NEW.seq > 0
    AND NEW.timestamp > now() - interval '1 day')
  EXECUTE FUNCTION want_transcript();
