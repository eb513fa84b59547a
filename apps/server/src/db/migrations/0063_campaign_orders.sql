CREATE TABLE "campaign_orders" (
	"tenant_id" integer NOT NULL,
	"campaign_id" uuid NOT NULL,
	"opportunity_id" uuid NOT NULL,
	"recipient_id" uuid NOT NULL,
	"status" text NOT NULL,
	"value" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "campaign_orders_pk" PRIMARY KEY("tenant_id","opportunity_id","campaign_id")
);
--> statement-breakpoint
ALTER TABLE "campaign_orders" ADD CONSTRAINT "campaign_orders_tenant_id_campaign_id_campaigns_tenant_id_id_fk" FOREIGN KEY ("tenant_id","campaign_id") REFERENCES "public"."campaigns"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_orders" ADD CONSTRAINT "campaign_orders_tenant_id_opportunity_id_opportunities_tenant_id_id_fk" FOREIGN KEY ("tenant_id","opportunity_id") REFERENCES "public"."opportunities"("tenant_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "campaign_orders_recent" ON "campaign_orders" USING btree ("tenant_id","campaign_id","created_at","opportunity_id");--> statement-breakpoint
CREATE INDEX "campaign_orders_recipient" ON "campaign_orders" USING btree ("tenant_id","recipient_id");--> statement-breakpoint
-- Writes down which campaigns some opportunities followed: those that had written to the contact, or to somebody who is part of
-- it by now, no longer ago than an answer counts; the last send of each.
CREATE FUNCTION attribute_orders(tenant integer, ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO campaign_orders (tenant_id, campaign_id, opportunity_id, recipient_id, status, value, created_at)
    SELECT DISTINCT ON (o.id, c.id) tenant, c.id, o.id, r.id, o.status, o.value, o.created_at
    FROM opportunities o
      CROSS JOIN LATERAL (SELECT o.contact_id AS id
        UNION ALL SELECT m.id FROM contacts m WHERE m.tenant_id = tenant AND m.merged_into_id = o.contact_id) p
      JOIN campaign_recipients r ON r.tenant_id = tenant AND r.contact_id = p.id AND r.sent_at <= o.created_at
      JOIN campaigns c ON c.tenant_id = tenant AND c.id = r.campaign_id
    WHERE o.tenant_id = tenant AND o.id = ANY (ids)
      AND r.sent_at > o.created_at - make_interval(days => (c.plan #>> '{answer,days}')::int)
    ORDER BY o.id, c.id, r.sent_at DESC
    ON CONFLICT DO NOTHING;
END $$;
--> statement-breakpoint
CREATE FUNCTION keep_campaign_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM attribute_orders(a.tenant_id, array_agg(a.id)) FROM added a GROUP BY a.tenant_id;
  ELSIF NEW.contact_id <> OLD.contact_id THEN
    DELETE FROM campaign_orders WHERE tenant_id = NEW.tenant_id AND opportunity_id = NEW.id;
    PERFORM attribute_orders(NEW.tenant_id, ARRAY[NEW.id]);
  ELSE
    UPDATE campaign_orders SET status = NEW.status, value = NEW.value
      WHERE tenant_id = NEW.tenant_id AND opportunity_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER campaign_orders_begun AFTER INSERT ON opportunities REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_campaign_orders();
CREATE TRIGGER campaign_orders_changed AFTER UPDATE OF contact_id, status, value ON opportunities FOR EACH ROW
  WHEN (NEW.contact_id <> OLD.contact_id OR NEW.status <> OLD.status OR NEW.value <> OLD.value)
  EXECUTE FUNCTION keep_campaign_orders();
--> statement-breakpoint
-- Those there are; whoever writes an opportunity meanwhile waits.
SELECT attribute_orders(o.tenant_id, array_agg(o.id)) FROM opportunities o GROUP BY o.tenant_id;
