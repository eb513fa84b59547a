import type { Routes } from '../kit/http.ts'
import { auditRoutes } from './audit/audit.routes.ts'
import { authRoutes } from './auth/auth.routes.ts'
import { masterkeyRoutes } from './auth/masterkey.routes.ts'
import { publicRoutes } from './auth/public.routes.ts'
import { resetRoutes } from './auth/reset.routes.ts'
import { bulkJobRoutes } from './bulk-jobs/bulk-jobs.routes.ts'
import { replaceRoutes } from './bulk-jobs/replace.routes.ts'
import { prepareGoodbye, sayGoodbye } from './closing/say-goodbye.ts'
import { onConnected } from './connections/connect.ts'
import { connectionRoutes } from './connections/connections.routes.ts'
import { contactFieldRoutes } from './contact-fields/contact-fields.routes.ts'
import { contactHistoryRoutes } from './contact-history/contact-history.routes.ts'
import { contactMergeRoutes } from './contact-merge/contact-merge.routes.ts'
import { contactRoutes } from './contacts/contacts.routes.ts'
import { dashboardRoutes } from './dashboard/dashboard.routes.ts'
import { draftRoutes } from './drafts/drafts.routes.ts'
import { exportRoutes } from './exports/exports.routes.ts'
import { farewellRoutes } from './farewells/farewells.routes.ts'
import { hookRoutes } from './inbound/hooks.routes.ts'
import { macroRoutes } from './macros/macros.routes.ts'
import { mediaRoutes } from './media/media.routes.ts'
import { mentionRoutes } from './mentions/mentions.routes.ts'
import { messageCallRoutes } from './messages/message-calls.routes.ts'
import { messageRoutes } from './messages/messages.routes.ts'
import { noteRoutes } from './notes/notes.routes.ts'
import { notificationRoutes } from './notifications/notifications.routes.ts'
import { pushRoutes } from './notifications/push.routes.ts'
import { placeRoutes } from './places/places.routes.ts'
import { docsRoutes, platformRoutes } from './platform/platform.routes.ts'
import { summaryRoutes } from './platform/summary.routes.ts'
import { protocolPageRoutes } from './protocols/protocol-page.routes.ts'
import { protocolRoutes } from './protocols/protocols.routes.ts'
import { queueRoutes } from './queues/queues.routes.ts'
import { quickMessageRoutes } from './quick-messages/quick-messages.routes.ts'
import { ratingRoutes } from './ratings/ratings.routes.ts'
import { reasonRoutes } from './reasons/reasons.routes.ts'
import { savedFilterRoutes } from './saved-filters/saved-filters.routes.ts'
import { scheduleRoutes } from './schedules/schedules.routes.ts'
import { settingsRoutes } from './settings/settings.routes.ts'
import { tagRoutes } from './tags/tags.routes.ts'
import { taskRoutes } from './tasks/tasks.routes.ts'
import { requestTemplateSync } from './templates/templates.loop.ts'
import { templateRoutes } from './templates/templates.routes.ts'
import { tenantRoutes } from './tenants/tenants.routes.ts'
import { ticketMarkRoutes } from './ticket-marks/ticket-marks.routes.ts'
import { onBeforeClose } from './tickets/before-close.ts'
import { ticketCallRoutes } from './tickets/ticket-calls.routes.ts'
import { ticketRoutes } from './tickets/tickets.routes.ts'
import { userTenantRoutes } from './user-tenants/user-tenants.routes.ts'
import { userRoutes } from './users/users.routes.ts'
import { wallRoutes } from './wall/wall.routes.ts'
import { webchatPages } from './webchat/webchat.pages.ts'
import { webchatRoutes } from './webchat/webchat.routes.ts'

/** What lower features ask of those above them: handed in by the one file that knows them all. */
onBeforeClose({ prepare: prepareGoodbye, say: sayGoodbye })
onConnected(requestTemplateSync)

/** Every feature under /api, by the area of the product it belongs to: the reference of the API keeps this order. */
export const areas: Record<string, Routes[]> = {
  Acesso: [authRoutes, resetRoutes, masterkeyRoutes, publicRoutes],
  Atendimentos: [ticketRoutes, ticketCallRoutes, ticketMarkRoutes, draftRoutes, bulkJobRoutes, wallRoutes],
  Mensagens: [
    messageRoutes,
    messageCallRoutes,
    mediaRoutes,
    mentionRoutes,
    noteRoutes,
    quickMessageRoutes,
    macroRoutes,
    templateRoutes,
    scheduleRoutes,
    notificationRoutes,
    pushRoutes,
    exportRoutes,
  ],
  Contatos: [contactRoutes, contactHistoryRoutes, contactMergeRoutes, contactFieldRoutes],
  'Qualidade e protocolos': [ratingRoutes, protocolRoutes, protocolPageRoutes],
  Tarefas: [taskRoutes],
  Cadastros: [queueRoutes, tagRoutes, reasonRoutes, farewellRoutes, placeRoutes, replaceRoutes, savedFilterRoutes],
  Canais: [connectionRoutes, webchatRoutes],
  Equipe: [userRoutes, userTenantRoutes],
  Empresa: [dashboardRoutes, settingsRoutes, auditRoutes],
  Plataforma: [tenantRoutes, summaryRoutes],
}
/** What answers outside /api: provider webhooks, health, the web chat frame. */
export const rootAreas: Record<string, Routes[]> = {
  'Avisos dos provedores': [hookRoutes],
  Servidor: [platformRoutes, docsRoutes],
  'Chat do site': [webchatPages],
}
