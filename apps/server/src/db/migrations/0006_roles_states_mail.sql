CREATE TABLE "directory_versions" (
	"tenant_id" integer NOT NULL,
	"part" text NOT NULL,
	"version" integer NOT NULL,
	CONSTRAINT "directory_versions_tenant_id_part_pk" PRIMARY KEY("tenant_id","part")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"to" text NOT NULL,
	"user_id" uuid,
	"content" text,
	"message_id" text NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mails_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"tenant_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"permissions" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "roles_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "role_id" uuid;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "max_contacts" integer;--> statement-breakpoint
ALTER TABLE "tenants" ADD COLUMN "max_storage_mb" integer;--> statement-breakpoint
CREATE INDEX "mails_recent" ON "mails" USING btree ("tenant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("attempt_at") WHERE "mails"."state" = 'queued';--> statement-breakpoint
CREATE UNIQUE INDEX "roles_name" ON "roles" USING btree ("tenant_id",lower("name"));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_tenant_id_role_id_roles_tenant_id_id_fk" FOREIGN KEY ("tenant_id","role_id") REFERENCES "public"."roles"("tenant_id","id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "files_size" ON "files" USING btree ("tenant_id","size");--> statement-breakpoint
CREATE INDEX "users_of_role" ON "users" USING btree ("tenant_id","role_id") WHERE "users"."role_id" is not null;--> statement-breakpoint
UPDATE "tenants" SET "status" = 'suspended' WHERE "status" = 'inactive';--> statement-breakpoint
-- Whoever changes what a company's directory is read from counts it; also where the app's role may see one company only.
CREATE FUNCTION count_directory_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  changed jsonb := CASE WHEN tg_op = 'DELETE' THEN to_jsonb(old) ELSE to_jsonb(new) END;
  owner int := coalesce(changed ->> 'tenant_id', changed ->> 'id')::int;
BEGIN
  -- Somebody who is of the platform too has their name and e-mail in one row and is shown by the other as well.
  INSERT INTO directory_versions (tenant_id, part, version)
    SELECT tenant_id, tg_argv[0], 1 FROM (
      SELECT owner AS tenant_id
      UNION SELECT (changed ->> 'home_tenant_id')::int WHERE changed ->> 'home_tenant_id' IS NOT NULL
      UNION SELECT 0 WHERE tg_table_name = 'users' AND owner <> 0
        AND EXISTS (SELECT FROM users p WHERE p.tenant_id = 0 AND p.id::text = changed ->> 'id')) counted
    ORDER BY tenant_id
    ON CONFLICT (tenant_id, part) DO UPDATE SET version = directory_versions.version + 1;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER directory_came_or_went AFTER INSERT OR DELETE ON users FOR EACH ROW EXECUTE FUNCTION count_directory_change('people');--> statement-breakpoint
CREATE TRIGGER directory_changed AFTER UPDATE ON users FOR EACH ROW WHEN ((to_jsonb(old) - '{password_hash,version,last_login_at,created_at,updated_at}'::text[]) IS DISTINCT FROM (to_jsonb(new) - '{password_hash,version,last_login_at,created_at,updated_at}'::text[])) EXECUTE FUNCTION count_directory_change('people');--> statement-breakpoint
CREATE TRIGGER directory_came_or_went AFTER INSERT OR DELETE ON queue_members FOR EACH ROW EXECUTE FUNCTION count_directory_change('people');--> statement-breakpoint
CREATE TRIGGER directory_changed AFTER INSERT OR UPDATE OR DELETE ON roles FOR EACH ROW EXECUTE FUNCTION count_directory_change('roles');--> statement-breakpoint
CREATE TRIGGER directory_changed AFTER INSERT OR UPDATE OR DELETE ON queues FOR EACH ROW EXECUTE FUNCTION count_directory_change('queues');--> statement-breakpoint
CREATE TRIGGER directory_changed AFTER INSERT OR UPDATE OR DELETE ON tags FOR EACH ROW EXECUTE FUNCTION count_directory_change('tags');--> statement-breakpoint
CREATE TRIGGER directory_changed AFTER INSERT OR UPDATE OR DELETE ON reasons FOR EACH ROW EXECUTE FUNCTION count_directory_change('reasons');--> statement-breakpoint
CREATE TRIGGER directory_came_or_went AFTER INSERT OR DELETE ON tenants FOR EACH ROW EXECUTE FUNCTION count_directory_change('company');--> statement-breakpoint
CREATE TRIGGER directory_changed AFTER UPDATE ON tenants FOR EACH ROW WHEN ((to_jsonb(old) - '{sla_stale_at,version,updated_at}'::text[]) IS DISTINCT FROM (to_jsonb(new) - '{sla_stale_at,version,updated_at}'::text[])) EXECUTE FUNCTION count_directory_change('company');--> statement-breakpoint
CREATE TRIGGER directory_changed AFTER UPDATE OF revoked_at ON refresh_tokens FOR EACH ROW WHEN (old.revoked_at IS DISTINCT FROM new.revoked_at) EXECUTE FUNCTION count_directory_change('sessions');--> statement-breakpoint
CREATE TRIGGER directory_came_or_went AFTER INSERT ON refresh_tokens FOR EACH ROW WHEN (new.revoked_at IS NOT NULL) EXECUTE FUNCTION count_directory_change('sessions');
--> statement-breakpoint
CREATE TRIGGER directory_changed AFTER INSERT OR UPDATE OR DELETE ON blocked_numbers FOR EACH ROW EXECUTE FUNCTION count_directory_change('blockedNumbers');
