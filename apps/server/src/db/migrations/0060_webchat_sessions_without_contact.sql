ALTER TABLE "webchat_sessions" DROP CONSTRAINT "webchat_sessions_tenant_id_contact_id_contacts_tenant_id_id_fk";
--> statement-breakpoint
ALTER TABLE "webchat_sessions" DROP COLUMN "contact_id";