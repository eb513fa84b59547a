DROP INDEX "users_email";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "home_tenant_id" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email") WHERE "users"."deleted_at" is null and "users"."home_tenant_id" is null;