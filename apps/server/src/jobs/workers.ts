import { env } from '../env.ts'
import { evaluateDue, isEvaluationDue } from '../features/automation/assistants/nightly.loop.ts'
import { isFlowCallDue, makeDueCalls } from '../features/automation/flows/calls.loop.ts'
import { isSourceDue, readDueSources } from '../features/automation/knowledge/reader.loop.ts'
import { isTranscriptDue, transcribeDue } from '../features/automation/transcripts/transcripts.loop.ts'
import { isVoiceCallDue, lookAfterCalls } from '../features/automation/voice-calls/voice-calls.loop.ts'
import { checkDue, isCheckDue } from '../features/channels/connections/check.loop.ts'
import { answerCalls, isCallWaiting } from '../features/channels/connections/owner-calls.ts'
import { createSessions, isSessionFree } from '../features/channels/sessions/sessions.loop.ts'
import { syncDue } from '../features/channels/templates/templates.loop.ts'
import { askNewGroups, isGroupUnasked } from '../features/conversations/groups/groups.loop.ts'
import { createMediaFetcher, isMediaWanted } from '../features/conversations/messages/media-fetcher.ts'
import { isStreamDue, tellStreams } from '../features/conversations/messages/message-streams.loop.ts'
import { isHeldLong, isQueued } from '../features/conversations/messages/sender.queries.ts'
import { createSender } from '../features/conversations/messages/sender.ts'
import { sortMessagesIn } from '../features/conversations/messages/sort-messages-in.loop.ts'
import {
  fetchDuePictures,
  isPictureDue,
  wantAccountPictures,
} from '../features/conversations/pictures/pictures.loop.ts'
import { isPauseOver, wakeDueTickets } from '../features/conversations/tickets/pause.loop.ts'
import { createThinker, isThoughtDue, isTurnDue, runDueTurns } from '../features/conversations/turns/turns.loop.ts'
import { createDeliverer } from '../features/core/deliveries/deliveries.loop.ts'
import { isDeliveryDue } from '../features/core/deliveries/deliveries.queries.ts'
import { createJobs, isJobWaiting } from '../features/core/jobs/jobs.loop.ts'
import { finishInbound, rescueInbound } from '../features/intake/inbound/inbound.service.ts'
import { cleanJournal, isForgotten } from '../features/intake/inbound/journal.ts'
import { feedAudience } from '../features/operations/audience/audience.loop.ts'
import { isAudienceWaiting } from '../features/operations/audience/audience.queries.ts'
import { congratulateDue, isBirthdayDue } from '../features/operations/birthdays/birthdays.loop.ts'
import { isCampaignDue, lookAfterCampaigns } from '../features/operations/campaigns/campaigns.loop.ts'
import { feedCampaigns } from '../features/operations/campaigns/feed.loop.ts'
import { isCampaignRunning } from '../features/operations/campaigns/feed.queries.ts'
import { areTalliesFresh, foldTallies } from '../features/operations/campaigns/tallies.loop.ts'
import { alarmDue, isAlarmDue } from '../features/operations/channel-alarms/alarms.loop.ts'
import { findDuplicates, isContactUnchecked } from '../features/operations/contact-merge/duplicates.loop.ts'
import { isFunnelActionDue, runFunnelActions } from '../features/operations/funnel-actions/funnel-actions.loop.ts'
import { actOnGroups, isGroupActDue } from '../features/operations/groups/acts.loop.ts'
import { applyGroupRules, isGroupRuleDue } from '../features/operations/groups/rules.loop.ts'
import { isEpisodeMarked, keepMarkedEpisodes } from '../features/operations/reports/episodes.loop.ts'
import { isReportMailDue, mailDueReports } from '../features/operations/reports/report-mails.loop.ts'
import { isScheduleDue, writeAllDue } from '../features/operations/schedules/schedules.loop.ts'
import { remindDueTasks } from '../features/operations/tasks/reminders.ts'
import { isMailDue, sendDueMails } from '../features/people/mail/mail.loop.ts'
import { sampleNode } from '../features/platform/monitor/samples.loop.ts'
import { isCalendarDue, syncDueCalendars } from '../features/sales/calendar/calendar.loop.ts'
import { closeIdle } from '../features/service/closing/auto-close.ts'
import { isGoodbyeDue, sayDueGoodbyes } from '../features/service/closing/goodbyes.loop.ts'
import { createDistributor, lookEveryMs } from '../features/service/distribution/distribution.loop.ts'
import { expireRatings } from '../features/service/ratings/expire-ratings.ts'
import { watchDeadlines } from '../features/service/sla/sla.loop.ts'
import type { Worker } from '../kit/workers.ts'
import { tidyUp } from './housekeeping.ts'

const s = 1_000
const minute = 60 * s

/**
 * Everything that happens by itself. Each looks for its work in rows, never in memory, so any number of processes may
 * run it: `due` asks whether there is any, a signal saves the wait for the next look.
 */
export const workers = (): Worker[] => {
  const role = 'worker'
  const isBackground = true
  // Messages of a session leave where it lives, also from a process that does nothing else.
  const sends = env.ROLES.includes('worker') ? role : 'sessions'
  const { claim, adopt, keep, finish } = createSender({ onlySessions: sends === 'sessions' })
  const sessions = createSessions()
  const media = createMediaFetcher()
  const thinker = createThinker()
  const distributor = createDistributor()
  const deliverer = createDeliverer()
  const jobs = createJobs()
  return [
    {
      name: 'sender',
      role: sends,
      everyMs: s,
      due: isQueued,
      wakesOn: ['messages.queued'],
      gathersMs: 20,
      run: claim,
      finish,
    },
    { name: 'sender rescue', role, everyMs: s, due: isHeldLong, run: adopt },
    { name: 'sender claims', role: sends, everyMs: 10 * s, run: keep },
    {
      name: 'inbound rescue',
      role,
      everyMs: s,
      due: isForgotten,
      wakesOn: ['inbound.waiting'],
      run: rescueInbound,
      finish: finishInbound,
    },
    { name: 'inbound clean-up', role, isBackground, everyMs: 60 * minute, run: cleanJournal },
    {
      name: 'media',
      role,
      everyMs: s,
      due: isMediaWanted,
      wakesOn: ['media.wanted'],
      run: media.claim,
      finish: media.finish,
    },
    { name: 'message search', role, everyMs: s, run: sortMessagesIn },
    { name: 'schedules', role, everyMs: s, due: isScheduleDue, run: writeAllDue },
    { name: 'audience', role, isBackground, everyMs: s, due: isAudienceWaiting, run: feedAudience },
    { name: 'campaigns', role, isBackground, everyMs: s, due: isCampaignDue, run: lookAfterCampaigns },
    { name: 'campaign feeder', role, isBackground, everyMs: s, due: isCampaignRunning, run: feedCampaigns },
    { name: 'campaign tallies', role, isBackground, everyMs: s, due: areTalliesFresh, run: foldTallies },
    { name: 'duplicates', role, isBackground, everyMs: 2 * s, due: isContactUnchecked, run: findDuplicates },
    { name: 'facts', role, isBackground, everyMs: s, due: isEpisodeMarked, run: keepMarkedEpisodes },
    { name: 'report mails', role, isBackground, everyMs: s, due: isReportMailDue, run: mailDueReports },
    { name: 'birthdays', role, isBackground, everyMs: s, due: isBirthdayDue, run: congratulateDue },
    { name: 'funnel actions', role, isBackground, everyMs: s, due: isFunnelActionDue, run: runFunnelActions },
    { name: 'calendars', role, isBackground, everyMs: s, due: isCalendarDue, run: syncDueCalendars },
    { name: 'task reminders', role, everyMs: 15 * s, run: remindDueTasks },
    {
      name: 'turns',
      role,
      isBackground,
      everyMs: s,
      due: isTurnDue,
      wakesOn: ['turns.left'],
      gathersMs: 200,
      run: runDueTurns,
    },
    {
      name: 'thinking turns',
      role,
      isBackground,
      everyMs: s,
      due: isThoughtDue,
      wakesOn: ['turns.left'],
      run: thinker.claim,
      finish: thinker.finish,
    },
    {
      name: 'streams',
      role,
      everyMs: s,
      due: isStreamDue,
      wakesOn: ['streams.grown'],
      gathersMs: 50,
      run: tellStreams,
    },
    {
      name: 'flow calls',
      role,
      isBackground,
      everyMs: s,
      due: isFlowCallDue,
      wakesOn: ['flowCalls.waiting'],
      run: makeDueCalls,
    },
    {
      name: 'voice calls',
      role,
      everyMs: s,
      due: isVoiceCallDue,
      wakesOn: ['voiceCalls.waiting'],
      run: lookAfterCalls,
    },
    { name: 'nightly evaluations', role, isBackground, everyMs: minute, due: isEvaluationDue, run: evaluateDue },
    { name: 'knowledge', role, isBackground, everyMs: s, due: isSourceDue, run: readDueSources },
    { name: 'transcripts', role, isBackground, everyMs: s, due: isTranscriptDue, run: transcribeDue },
    {
      name: 'deliveries',
      role,
      isBackground,
      everyMs: s,
      due: isDeliveryDue,
      run: deliverer.run,
      finish: deliverer.finish,
    },
    { name: 'pause alarm', role, everyMs: s, due: isPauseOver, run: wakeDueTickets },
    { name: 'deadlines', role, everyMs: 10 * s, wakesOn: ['deadlines.stale'], run: watchDeadlines },
    {
      name: 'distribution',
      role,
      everyMs: lookEveryMs,
      wakesOn: ['distribution.wanted'],
      run: distributor.distribute,
      finish: distributor.finish,
    },
    { name: 'goodbyes', role, everyMs: s, due: isGoodbyeDue, run: sayDueGoodbyes },
    { name: 'auto close', role, isBackground, everyMs: 10 * s, run: closeIdle },
    { name: 'rating expiry', role, isBackground, everyMs: 30 * s, run: expireRatings },
    { name: 'pictures', role, isBackground, everyMs: s, due: isPictureDue, run: fetchDuePictures },
    { name: 'account pictures', role, isBackground, everyMs: 30 * s, run: wantAccountPictures },
    { name: 'channel alarms', role, isBackground, everyMs: 60 * s, due: isAlarmDue, run: alarmDue },
    { name: 'connection checks', role, isBackground, everyMs: s, due: isCheckDue, run: checkDue },
    {
      name: 'sessions',
      role: 'sessions',
      everyMs: s,
      due: isSessionFree,
      wakesOn: ['sessions.changed'],
      run: sessions.take,
      finish: sessions.finish,
    },
    { name: 'session leases', role: 'sessions', everyMs: 3 * s, wakesOn: ['sessions.changed'], run: sessions.renew },
    {
      name: 'session calls',
      role: 'sessions',
      everyMs: s,
      due: isCallWaiting,
      wakesOn: ['session.asked'],
      run: answerCalls,
    },
    { name: 'new groups', role, isBackground, everyMs: s, due: isGroupUnasked, run: askNewGroups },
    { name: 'group rules', role, isBackground, everyMs: s, due: isGroupRuleDue, run: applyGroupRules },
    { name: 'group acts', role, isBackground, everyMs: s, due: isGroupActDue, run: actOnGroups },
    { name: 'templates', role, isBackground, everyMs: 10 * s, wakesOn: ['templates.wanted'], run: syncDue },
    {
      name: 'jobs',
      role,
      isBackground,
      everyMs: s,
      due: isJobWaiting,
      wakesOn: ['jobs.wanted'],
      run: jobs.run,
      finish: jobs.finish,
    },
    { name: 'mail', role, isBackground, everyMs: s, due: isMailDue, wakesOn: ['mail.queued'], run: sendDueMails },
    { name: 'node samples', role: env.ROLES[0] ?? role, everyMs: minute, run: sampleNode },
    { name: 'housekeeping', role, isBackground, everyMs: 10 * minute, run: tidyUp },
  ]
}
