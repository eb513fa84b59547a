CREATE TABLE "consumers" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"topics" text[] NOT NULL,
	"user_id" uuid,
	"integration_id" uuid,
	"target" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"calm_s" integer DEFAULT 0 NOT NULL,
	"is_latest_only" boolean DEFAULT false NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"rests_until" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"error" text,
	"delivered_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "consumers_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"tenant_id" integer NOT NULL,
	"seq" bigserial NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"consumer_id" uuid NOT NULL,
	"topic" text NOT NULL,
	"lane" text NOT NULL,
	"is_latest_only" boolean NOT NULL,
	"payload" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"due_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "deliveries_tenant_id_seq_pk" PRIMARY KEY("tenant_id","seq")
);
--> statement-breakpoint
ALTER TABLE "consumers" ADD CONSTRAINT "consumers_tenant_id_user_id_users_tenant_id_id_fk" FOREIGN KEY ("tenant_id","user_id") REFERENCES "public"."users"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consumers" ADD CONSTRAINT "consumers_tenant_id_integration_id_integrations_tenant_id_id_fk" FOREIGN KEY ("tenant_id","integration_id") REFERENCES "public"."integrations"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_tenant_id_consumer_id_consumers_tenant_id_id_fk" FOREIGN KEY ("tenant_id","consumer_id") REFERENCES "public"."consumers"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "consumers_endpoint" ON "consumers" USING btree (("target" ->> 'endpoint')) WHERE "consumers"."kind" = 'push';--> statement-breakpoint
CREATE INDEX "consumers_of_user" ON "consumers" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "consumers_of_integration" ON "consumers" USING btree ("tenant_id","integration_id");--> statement-breakpoint
CREATE INDEX "deliveries_of_consumer" ON "deliveries" USING btree ("tenant_id","consumer_id","seq");--> statement-breakpoint
CREATE INDEX "deliveries_lane" ON "deliveries" USING btree ("tenant_id","consumer_id","lane","seq") WHERE "deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_latest" ON "deliveries" USING btree ("tenant_id","consumer_id","lane") WHERE "deliveries"."is_latest_only" and "deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("due_at") WHERE "deliveries"."state" = 'waiting';--> statement-breakpoint
-- Whoever has no consumer pays one look into an index for each event.
CREATE FUNCTION write_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  named uuid[];
BEGIN
  IF NOT jsonb_exists_any(new.audience, '{userId,userIds}') THEN
    IF NOT EXISTS (SELECT FROM consumers WHERE tenant_id = new.tenant_id AND user_id IS NULL) THEN RETURN NULL; END IF;
  ELSE
    IF NOT EXISTS (SELECT FROM consumers WHERE tenant_id = new.tenant_id) THEN RETURN NULL; END IF;
    -- For the bell alone: nobody was there when it happened.
    IF new.name = 'notification.created' AND new.payload -> 'isQuiet' = 'true' THEN RETURN NULL; END IF;
    named := CASE WHEN new.audience ? 'userId' THEN ARRAY[(new.audience ->> 'userId')::uuid]
      ELSE ARRAY(SELECT jsonb_array_elements_text(new.audience -> 'userIds')::uuid) END;
  END IF;
  PERFORM FROM consumers c WHERE c.tenant_id = new.tenant_id AND c.state = 'active' AND new.name = ANY (c.topics)
    AND (c.user_id IS NULL OR c.user_id = ANY (named)) LIMIT 1;
  IF NOT FOUND THEN RETURN NULL; END IF;
  INSERT INTO deliveries (tenant_id, consumer_id, topic, lane, is_latest_only, payload, due_at)
  SELECT new.tenant_id, c.id, new.name,
    CASE new.name
      WHEN 'notification.created' THEN (new.payload ->> 'kind') || ':' || coalesce(new.payload ->> 'ticketId', new.payload ->> 'link')
      ELSE coalesce(new.payload #>> '{message,ticketId}', new.payload ->> 'ticketId', new.payload ->> 'id', '')
    END,
    c.is_latest_only, new.payload, now() + make_interval(secs => c.calm_s)
  FROM consumers c
  WHERE c.tenant_id = new.tenant_id AND c.state = 'active' AND new.name = ANY (c.topics)
    AND (c.user_id IS NULL OR c.user_id = ANY (named))
  ORDER BY c.id
  FOR KEY SHARE OF c -- one that is being removed is no consumer any more, and fails nobody's change
  ON CONFLICT (tenant_id, consumer_id, lane) WHERE is_latest_only AND state = 'waiting'
  DO UPDATE SET id = excluded.id, topic = excluded.topic, payload = excluded.payload, attempts = 0, error = null,
    due_at = excluded.due_at, created_at = now();
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER write_deliveries AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION write_deliveries();
