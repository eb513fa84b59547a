ALTER TABLE "drafts" ADD COLUMN "kind" text DEFAULT 'message' NOT NULL;--> statement-breakpoint
ALTER TABLE "drafts" DROP CONSTRAINT "drafts_tenant_id_user_id_ticket_id_pk";--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_tenant_id_user_id_ticket_id_kind_pk" PRIMARY KEY("tenant_id","user_id","ticket_id","kind");
