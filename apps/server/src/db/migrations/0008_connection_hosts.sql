ALTER TABLE "connections" ADD COLUMN "host" text;--> statement-breakpoint
CREATE INDEX "connections_host" ON "connections" USING btree ("tenant_id","kind") WHERE "connections"."host" is not null;--> statement-breakpoint
CREATE INDEX "connections_of_all" ON "connections" USING btree ("created_at","id") WHERE "connections"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "integrations_gateway" ON "integrations" USING btree ("tenant_id","kind") WHERE "integrations"."family" = 'gateway';