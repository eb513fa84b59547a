import type { Routes } from '../kit/http.ts'
import { catalogue } from './actions.ts'
import { registerAnswerer } from './automation/assistants/answering.ts'
import { askModels } from './automation/assistants/ask-models.ts'
import { assistant } from './automation/assistants/assistant.owner.ts'
import { assistantRoutes } from './automation/assistants/assistants.routes.ts'
import { botAccounts } from './automation/assistants/bot-accounts.ts'
import { registerBots } from './automation/assistants/bots.ts'
import { evaluationJob } from './automation/assistants/evaluation.job.ts'
import { readKept, takeLent } from './automation/assistants/lent.ts'
import { forgetTalks } from './automation/assistants/trace.ts'
import { copilotRoutes } from './automation/copilot/copilot.routes.ts'
import { registerKnowledge } from './automation/copilot/knowledge.ts'
import { flow } from './automation/flows/flow.owner.ts'
import { flowRoutes } from './automation/flows/flows.routes.ts'
import { registerFlowHooks } from './automation/flows/hooks.ts'
import { replaceInFlows } from './automation/flows/named-rows.ts'
import { knowledgeForPeople } from './automation/knowledge/for-people.ts'
import { knowledgeRoutes } from './automation/knowledge/knowledge.routes.ts'
import { aiCallsCsv } from './automation/models/calls.export.ts'
import { modelRoutes } from './automation/models/models.routes.ts'
import { transcriptRoutes } from './automation/transcripts/transcripts.routes.ts'
import { eraseCalls } from './automation/voice-calls/erase-calls.ts'
import { voiceCallsCsv } from './automation/voice-calls/voice-calls.export.ts'
import { voiceCallRoutes } from './automation/voice-calls/voice-calls.routes.ts'
import { voiceHookRoutes } from './automation/voice-calls/voice-hook.routes.ts'
import { registerAccountMet } from './channels/connections/account-met.ts'
import { blockAtProviders } from './channels/connections/block-mirror.ts'
import { businessAccountRoutes } from './channels/connections/business-account.routes.ts'
import { onConnected } from './channels/connections/connect.ts'
import { connectionsExport, proxiesExport } from './channels/connections/connections.export.ts'
import { connectionRoutes } from './channels/connections/connections.routes.ts'
import { gatewayRoutes } from './channels/connections/gateways.routes.ts'
import { followGateways } from './channels/connections/host-users.ts'
import { hubRoutes } from './channels/connections/hub.routes.ts'
import { namedCallRoutes } from './channels/connections/named-calls.routes.ts'
import { proxyRoutes } from './channels/connections/proxies.routes.ts'
import { requestRoutes } from './channels/connections/requests.routes.ts'
import { onSessionReceived } from './channels/sessions/received.ts'
import { namedTemplateRoutes } from './channels/templates/named-templates.routes.ts'
import { requestTemplateSync } from './channels/templates/templates.loop.ts'
import { templateRoutes } from './channels/templates/templates.routes.ts'
import { blockedNumberRoutes } from './contacts/blocked-numbers/blocked-numbers.routes.ts'
import { registerBlockMirror } from './contacts/blocked-numbers/mirror.ts'
import { boardRoutes } from './contacts/board/board.routes.ts'
import { consentRoutes } from './contacts/consent/consent.routes.ts'
import { optOutsExport } from './contacts/consent/opt-outs.export.ts'
import { importOptOutsJob, undoOptOutsJob } from './contacts/consent/suppression-jobs.ts'
import { contactFieldRoutes } from './contacts/contact-fields/contact-fields.routes.ts'
import { contactCallRoutes } from './contacts/contacts/contact-calls.routes.ts'
import { exportContactsJob } from './contacts/contacts/contacts.export-job.ts'
import { contactRoutes } from './contacts/contacts/contacts.routes.ts'
import { exportContactsXlsxJob } from './contacts/contacts/contacts.xlsx-job.ts'
import { registerErasing } from './contacts/contacts/erase.ts'
import { checkImportJob } from './contacts/imports/check-job.ts'
import { eraseImported } from './contacts/imports/erase-imported.ts'
import { importRoutes } from './contacts/imports/imports.routes.ts'
import { importContactsJob } from './contacts/imports/run-job.ts'
import { undoImportJob } from './contacts/imports/undo-job.ts'
import { laneRoutes } from './contacts/lanes/lanes.routes.ts'
import { contactSources } from './contacts/membership/contact-sources.ts'
import { registerSegmentSources } from './contacts/membership/source.ts'
import { segmentRoutes } from './contacts/segments/segments.routes.ts'
import { tagGroupRoutes, tagRoutes } from './contacts/tags/tags.routes.ts'
import { contactHistoryRoutes } from './conversations/contact-history/contact-history.routes.ts'
import { costRoutes } from './conversations/costs/costs.routes.ts'
import { draftRoutes } from './conversations/drafts/drafts.routes.ts'
import { eraseExports } from './conversations/exports/erase-exports.ts'
import { exportConversationJob } from './conversations/exports/export-job.ts'
import { exportRoutes } from './conversations/exports/exports.routes.ts'
import { eraseMember } from './conversations/groups/erase-members.ts'
import { onGroupRead } from './conversations/groups/group.ts'
import { groupRoutes } from './conversations/groups/groups.routes.ts'
import { refreshAllRoles } from './conversations/groups/places.ts'
import { mentionRoutes } from './conversations/mentions/mentions.routes.ts'
import { contactMessageRoutes } from './conversations/messages/contact-messages.routes.ts'
import { directSendRoutes } from './conversations/messages/direct-sends.routes.ts'
import { editRoutes } from './conversations/messages/edits.routes.ts'
import { forwardRoutes } from './conversations/messages/forward.routes.ts'
import { mailViewRoutes } from './conversations/messages/mail-view.routes.ts'
import { messageRoutes } from './conversations/messages/messages.routes.ts'
import { namedSendRoutes } from './conversations/messages/named-sends.routes.ts'
import { oldMessageRoutes } from './conversations/messages/old-messages.routes.ts'
import { starRoutes } from './conversations/messages/stars.routes.ts'
import { stuckRoutes } from './conversations/messages/stuck.routes.ts'
import { noteRoutes } from './conversations/notes/notes.routes.ts'
import { pictureCallRoutes } from './conversations/pictures/pictures.routes.ts'
import { placeRoutes } from './conversations/places/places.routes.ts'
import { reasonRoutes } from './conversations/reasons/reasons.routes.ts'
import { savedFilterRoutes } from './conversations/saved-filters/saved-filters.routes.ts'
import { ticketMarkRoutes } from './conversations/ticket-marks/ticket-marks.routes.ts'
import { registerActions } from './conversations/tickets/action-catalogue.ts'
import { onBeforeClose } from './conversations/tickets/before-close.ts'
import { forceDeleteRoutes } from './conversations/tickets/force-delete.routes.ts'
import { handOverRoutes } from './conversations/tickets/hand-over.routes.ts'
import { mergeRoutes } from './conversations/tickets/merge.routes.ts'
import { pauseRoutes } from './conversations/tickets/pause.routes.ts'
import { ticketSources } from './conversations/tickets/segment-sources.ts'
import { shareRoutes } from './conversations/tickets/share.routes.ts'
import { takeNextRoutes } from './conversations/tickets/take-next.routes.ts'
import { ticketCheckRoutes } from './conversations/tickets/ticket-check.routes.ts'
import { onClearMemory } from './conversations/tickets/ticket-check.ts'
import { ticketRoutes } from './conversations/tickets/tickets.routes.ts'
import { registerOwners } from './conversations/turns/owners.ts'
import { wallRoutes } from './conversations/wall/wall.routes.ts'
import { registerConsumers } from './core/deliveries/consumer-kinds.ts'
import { integrationConsumer } from './core/integrations/integration.consumer.ts'
import { integrationRoutes } from './core/integrations/integrations.routes.ts'
import { registerJobs } from './core/jobs/job-kinds.ts'
import { jobRoutes } from './core/jobs/jobs.routes.ts'
import { mediaRoutes, onFileAsked } from './core/media/media.routes.ts'
import { absence } from './intake/inbound/absence.ts'
import { registerGroupWatch } from './intake/inbound/group-watch.ts'
import { onHeard } from './intake/inbound/heard.ts'
import { hookRoutes } from './intake/inbound/hooks.routes.ts'
import { onIdentitiesMet } from './intake/inbound/identities-met.ts'
import { journalFromSession } from './intake/inbound/session-journal.ts'
import { eraseJournaled } from './intake/journal/erase-journal.ts'
import { journalCsv } from './intake/journal/journal.export.ts'
import { journalRoutes } from './intake/journal/journal.routes.ts'
import { replayEventsJob } from './intake/journal/replay-job.ts'
import { webchatPages } from './intake/webchat/webchat.pages.ts'
import { webchatRoutes } from './intake/webchat/webchat.routes.ts'
import { birthdaysExport } from './operations/birthdays/birthdays.export.ts'
import { birthdayRoutes } from './operations/birthdays/birthdays.routes.ts'
import { bulkJobRoutes } from './operations/bulk-jobs/bulk-jobs.routes.ts'
import { changeContactsJob, undoContactsChangeJob } from './operations/bulk-jobs/contact-jobs.ts'
import { mergeQuickRoutes } from './operations/bulk-jobs/merge-quick.routes.ts'
import { replaceRoutes } from './operations/bulk-jobs/replace.routes.ts'
import { replaceJobs } from './operations/bulk-jobs/replace.service.ts'
import { replaceStageRoutes } from './operations/bulk-jobs/replace-stage.routes.ts'
import { funnelReplaceJobs } from './operations/bulk-jobs/replace-stage.service.ts'
import { segmentUseRoutes } from './operations/bulk-jobs/segment-uses.routes.ts'
import { ticketJobs } from './operations/bulk-jobs/ticket-jobs.ts'
import { hearCampaignAnswers } from './operations/campaigns/answers.ts'
import { campaignsExport, recipientsExport, recipientsXlsxJob } from './operations/campaigns/campaigns.export.ts'
import { campaignRoutes } from './operations/campaigns/campaigns.routes.ts'
import { checkNumbersJob } from './operations/campaigns/check-numbers.ts'
import { massRoutes } from './operations/campaigns/mass.routes.ts'
import { campaignTransitionRoutes } from './operations/campaigns/transitions.routes.ts'
import { unsubscribeRoutes } from './operations/campaigns/unsubscribe.routes.ts'
import { contactMergeRoutes } from './operations/contact-merge/contact-merge.routes.ts'
import { uniteByProvider } from './operations/contact-merge/contact-merge.service.ts'
import { mergeContactsJob, undoMergeContactsJob } from './operations/contact-merge/merge-many-job.ts'
import { dashboardRoutes } from './operations/dashboard/dashboard.routes.ts'
import { statisticsRoutes } from './operations/dashboard/statistics.routes.ts'
import { funnelActionRoutes } from './operations/funnel-actions/funnel-actions.routes.ts'
import { actionRunsExport } from './operations/funnel-actions/runs.list.ts'
import { groupActJob, undoGroupActJob } from './operations/groups/acts.job.ts'
import { groupActsExport } from './operations/groups/acts.rows.ts'
import { eraseFromGroups, groupLogsExport } from './operations/groups/group-logs.ts'
import { groupRuleRoutes } from './operations/groups/group-rules.routes.ts'
import { groupsExport } from './operations/groups/groups.export.ts'
import { groupListRoutes } from './operations/groups/groups.routes.ts'
import { banThoseRead, groupRules } from './operations/groups/log-rules.ts'
import { monitorRoutes } from './operations/monitor/monitor.routes.ts'
import { eraseTold } from './operations/notifications/erase-told.ts'
import { notificationRoutes } from './operations/notifications/notifications.routes.ts'
import { pushConsumer } from './operations/notifications/push.consumer.ts'
import { pushRoutes } from './operations/notifications/push.routes.ts'
import { phoneBookRoutes } from './operations/phone-books/phone-books.routes.ts'
import { reportViewRoutes } from './operations/reports/report-views.routes.ts'
import { reportExports } from './operations/reports/reports.export.ts'
import { reportRoutes } from './operations/reports/reports.routes.ts'
import { scheduleRoutes } from './operations/schedules/schedules.routes.ts'
import { taskRoutes } from './operations/tasks/tasks.routes.ts'
import { authRoutes } from './people/auth/auth.routes.ts'
import { readMediaActor } from './people/auth/media-cookie.ts'
import { publicRoutes } from './people/auth/public.routes.ts'
import { resetRoutes } from './people/auth/reset.routes.ts'
import { eraseMails } from './people/mail/erase-mails.ts'
import { mailRoutes } from './people/mail/mails.routes.ts'
import { roleRoutes } from './people/roles/roles.routes.ts'
import { settingsRoutes } from './people/settings/settings.routes.ts'
import { userTenantRoutes } from './people/user-tenants/user-tenants.routes.ts'
import { onHandedOver } from './people/users/handed-over.ts'
import { userRoutes } from './people/users/users.routes.ts'
import { auditExport, platformAuditExport } from './platform/audit/audit.export.ts'
import { auditRoutes } from './platform/audit/audit.routes.ts'
import { tenantConnectionsExport } from './platform/connections/tenant-connections.export.ts'
import { tenantConnectionRoutes } from './platform/connections/tenant-connections.routes.ts'
import { hostRoutes } from './platform/hosts/hosts.routes.ts'
import { mailServerRoutes } from './platform/mail-server/mail-server.routes.ts'
import { platformMonitorRoutes } from './platform/monitor/platform-monitor.routes.ts'
import { docsRoutes, platformRoutes } from './platform/platform/platform.routes.ts'
import { summaryRoutes } from './platform/platform/summary.routes.ts'
import { masterkeyRoutes } from './platform/setup/masterkey.routes.ts'
import { tenantMailRoutes } from './platform/tenants/tenant-mails.routes.ts'
import { tenantRoutes } from './platform/tenants/tenants.routes.ts'
import { bookTime, readBusy } from './sales/calendar/bookings.ts'
import { calendarRoutes } from './sales/calendar/calendar.routes.ts'
import { eraseEvents } from './sales/calendar/erase-events.ts'
import { opportunitiesExport } from './sales/funnel/opportunities.export.ts'
import { opportunityRoutes } from './sales/funnel/opportunities.routes.ts'
import { pipelinesRoutes } from './sales/funnel/pipelines.routes.ts'
import { proposalRoutes } from './sales/funnel/proposals.routes.ts'
import { autoReplyRoutes } from './service/auto-replies/auto-replies.routes.ts'
import { autoReply } from './service/auto-replies/auto-reply.owner.ts'
import { choicesExport } from './service/auto-replies/choices.export.ts'
import { endedByCustomer } from './service/closing/closing-words.ts'
import { prepareGoodbye, sayGoodbye } from './service/closing/say-goodbye.ts'
import { offerTicket } from './service/distribution/distribute.ts'
import { farewellRoutes } from './service/farewells/farewells.routes.ts'
import { macroRoutes } from './service/macros/macros.routes.ts'
import { protocolPageRoutes } from './service/protocols/protocol-page.routes.ts'
import { protocolRoutes } from './service/protocols/protocols.routes.ts'
import { queueRoutes } from './service/queues/queues.routes.ts'
import { quickFolderRoutes } from './service/quick-messages/quick-folders.routes.ts'
import { quickMessageRoutes } from './service/quick-messages/quick-messages.routes.ts'
import { ratingsExport } from './service/ratings/ratings.export.ts'
import { ratingRoutes } from './service/ratings/ratings.routes.ts'
import { keepGrade } from './service/ratings/ratings.service.ts'
import { ratingSources } from './service/ratings/segment-sources.ts'

/** What lower features ask of those above them: handed in by the one file that knows them all. */
registerActions(catalogue)
followGateways()
registerOwners({ customer: endedByCustomer, assistant, flow, autoReply, absence })
onClearMemory(forgetTalks)
registerAnswerer(askModels)
registerBots(botAccounts)
registerKnowledge(knowledgeForPeople)
registerFlowHooks({
  offer: offerTicket,
  rate: keepGrade,
  lend: takeLent,
  kept: readKept,
  calendar: { busy: readBusy, book: bookTime },
})
onHandedOver((tx, by, { userId: id, heirId: replacementId, note }) =>
  replaceInFlows(tx, by, { id, replacementId, note }),
)
onBeforeClose({ prepare: prepareGoodbye, say: sayGoodbye })
onConnected(requestTemplateSync)
registerBlockMirror(blockAtProviders)
registerErasing([
  eraseMember,
  eraseImported,
  eraseFromGroups,
  eraseExports,
  eraseMails,
  eraseCalls,
  eraseJournaled,
  eraseTold,
  eraseEvents,
])
registerSegmentSources({ ...contactSources, ...ticketSources, ...ratingSources })
onSessionReceived(journalFromSession)
onFileAsked(readMediaActor)
onIdentitiesMet(uniteByProvider)
registerGroupWatch(groupRules)
onGroupRead(banThoseRead)
registerAccountMet(refreshAllRoles)
onHeard(hearCampaignAnswers)
registerJobs([
  ...funnelReplaceJobs,
  ...[...ticketJobs, ...replaceJobs, exportContactsJob, exportContactsXlsxJob, exportConversationJob, replayEventsJob],
  ...[importOptOutsJob, undoOptOutsJob, optOutsExport.job, mergeContactsJob, undoMergeContactsJob],
  ...[changeContactsJob, undoContactsChangeJob],
  ...[groupActJob, undoGroupActJob, groupActsExport.job, groupLogsExport.job, groupsExport.job],
  ...[checkImportJob, importContactsJob, undoImportJob],
  ...[reportExports.tickets.csv, reportExports.tickets.xlsx].map(({ job }) => job),
  ...[reportExports.contacts.csv, reportExports.contacts.xlsx].map(({ job }) => job),
  ...[campaignsExport.job, recipientsExport.job, recipientsXlsxJob, checkNumbersJob],
  evaluationJob,
  ...[auditExport, platformAuditExport, ratingsExport].map(({ job }) => job),
  ...[
    connectionsExport,
    tenantConnectionsExport,
    proxiesExport,
    journalCsv,
    aiCallsCsv,
    voiceCallsCsv,
    choicesExport,
    birthdaysExport,
    actionRunsExport,
    opportunitiesExport,
  ].map(({ job }) => job),
])
registerConsumers([pushConsumer, integrationConsumer])

/** Every feature under /api, by the area of the product it belongs to: the reference of the API keeps this order. */
export const areas: Record<string, Routes[]> = {
  Acesso: [authRoutes, resetRoutes, masterkeyRoutes, publicRoutes],
  Atendimentos: [
    ticketRoutes,
    handOverRoutes,
    mergeRoutes,
    takeNextRoutes,
    pauseRoutes,
    shareRoutes,
    ticketCheckRoutes,
    ticketMarkRoutes,
    draftRoutes,
    bulkJobRoutes,
    jobRoutes,
    wallRoutes,
  ],
  Mensagens: [
    messageRoutes,
    mailViewRoutes,
    contactMessageRoutes,
    editRoutes,
    starRoutes,
    forwardRoutes,
    directSendRoutes,
    groupRoutes,
    oldMessageRoutes,
    stuckRoutes,
    birthdayRoutes,
    mediaRoutes,
    mentionRoutes,
    noteRoutes,
    quickMessageRoutes,
    quickFolderRoutes,
    autoReplyRoutes,
    mergeQuickRoutes,
    macroRoutes,
    businessAccountRoutes,
    requestRoutes,
    namedTemplateRoutes,
    namedSendRoutes,
    costRoutes,
    templateRoutes,
    scheduleRoutes,
    notificationRoutes,
    pushRoutes,
    exportRoutes,
  ],
  Contatos: [
    contactRoutes,
    importRoutes,
    contactCallRoutes,
    pictureCallRoutes,
    forceDeleteRoutes,
    phoneBookRoutes,
    consentRoutes,
    contactHistoryRoutes,
    contactMergeRoutes,
    contactFieldRoutes,
    segmentRoutes,
    segmentUseRoutes,
  ],
  Campanhas: [campaignRoutes, campaignTransitionRoutes, massRoutes, unsubscribeRoutes],
  'Qualidade e protocolos': [ratingRoutes, protocolRoutes, protocolPageRoutes],
  Automação: [flowRoutes, assistantRoutes, knowledgeRoutes, copilotRoutes, transcriptRoutes, voiceCallRoutes],
  Tarefas: [taskRoutes],
  Cadastros: [
    queueRoutes,
    tagRoutes,
    tagGroupRoutes,
    laneRoutes,
    pipelinesRoutes,
    replaceStageRoutes,
    opportunityRoutes,
    proposalRoutes,
    calendarRoutes,
    funnelActionRoutes,
    boardRoutes,
    reasonRoutes,
    farewellRoutes,
    placeRoutes,
    blockedNumberRoutes,
    replaceRoutes,
    savedFilterRoutes,
  ],
  Canais: [connectionRoutes, namedCallRoutes, proxyRoutes, gatewayRoutes, hubRoutes, journalRoutes, webchatRoutes],
  Equipe: [userRoutes, roleRoutes, mailRoutes, userTenantRoutes],
  Grupos: [groupListRoutes, groupRuleRoutes],
  Integrações: [integrationRoutes, modelRoutes],
  Relatórios: [reportRoutes, reportViewRoutes],
  Empresa: [dashboardRoutes, statisticsRoutes, monitorRoutes, settingsRoutes, auditRoutes],
  Plataforma: [
    tenantRoutes,
    tenantMailRoutes,
    hostRoutes,
    mailServerRoutes,
    tenantConnectionRoutes,
    summaryRoutes,
    platformMonitorRoutes,
  ],
}
/** What answers outside /api: provider webhooks, health, the web chat frame. */
export const rootAreas: Record<string, Routes[]> = {
  'Avisos dos provedores': [hookRoutes, voiceHookRoutes],
  Servidor: [platformRoutes, docsRoutes],
  'Chat do site': [webchatPages],
}
