import { id, pageOf } from '@balcao/contract/common.ts'
import { consentOutcome, consentReturn, integrationConsent } from '@balcao/contract/core/integrations/index.ts'
import {
  calendarConfig,
  calendarConfigWrite,
  calendarEvent,
  calendarEventsQuery,
  calendarEventWrite,
} from '@balcao/contract/sales/calendar.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import { answerConsent, askConsent } from '../../core/integrations/consent-cookie.ts'
import { integrationRows } from '../../core/integrations/integrations.rows.ts'
import { disconnectCalendar, getCalendar, listCalendars, syncNow } from './accounts.ts'
import { createEvent, deleteEvent, listEvents, updateEvent } from './events.service.ts'

const params = z.object({ id })
const configs = 'integrations.write'
const kind = 'googleCalendar'
const whole = <Row>(items: Row[]) => ({ items, hasMore: false, nextCursor: null })
const events = pageOf(calendarEvent)

/** Google's calendar beside the funnel: its accounts, and what stands in it. */
export const calendarRoutes: Routes = (app) => {
  app.get(
    '/google-calendar-configs',
    {
      config: { can: configs, summary: 'Listar as agendas do Google' },
      schema: { response: { 200: pageOf(calendarConfig) } },
    },
    async ({ actor }) => whole(await listCalendars(actor.tenantId)),
  )
  app.get(
    '/google-calendar-configs/:id',
    {
      config: { can: configs, summary: 'Ler uma agenda do Google' },
      schema: { params, response: { 200: calendarConfig } },
    },
    ({ actor, params: { id } }) => getCalendar(actor.tenantId, id),
  )
  app.post(
    '/google-calendar-configs',
    {
      config: { can: configs, summary: 'Criar uma agenda do Google', errors: ['ERR_DUPLICATED'] },
      schema: { body: calendarConfigWrite, response: { 201: calendarConfig } },
    },
    async ({ actor, body }, reply) => {
      const made = await integrationRows.create(actor, { ...body, kind })
      return reply.status(201).send(await getCalendar(actor.tenantId, made.id))
    },
  )
  app.put(
    '/google-calendar-configs/:id',
    {
      config: { can: configs, summary: 'Alterar uma agenda do Google', errors: ['ERR_CONFLICT', 'ERR_DUPLICATED'] },
      schema: { params, body: calendarConfigWrite.partial(), response: { 200: calendarConfig } },
    },
    async ({ actor, params: { id }, body }) => {
      await getCalendar(actor.tenantId, id)
      await integrationRows.update(actor, id, body)
      return getCalendar(actor.tenantId, id)
    },
  )
  app.delete(
    '/google-calendar-configs/:id',
    {
      config: { can: configs, summary: 'Desconectar uma agenda do Google e tirar dela o que é nosso' },
      schema: { params, response: { 204: z.void() } },
    },
    async ({ actor, params: { id } }, reply) => {
      await disconnectCalendar(actor, id)
      return reply.status(204).send()
    },
  )
  app.post(
    '/google-calendar-configs/:id/sync',
    {
      config: { can: configs, summary: 'Comparar agora uma agenda do Google com as previsões' },
      schema: { params, response: { 200: calendarConfig } },
    },
    ({ actor, params: { id } }) => syncNow(actor, id),
  )
  app.get(
    '/google-calendar/auth/url',
    {
      config: {
        ...{ can: configs, summary: 'Pedir o endereço em que o dono da agenda a autoriza' },
        errors: ['ERR_NO_OAUTH_CLIENT'],
      },
      schema: { querystring: z.object({ configId: id }), response: { 200: integrationConsent } },
    },
    async (request, reply) => {
      await getCalendar(request.actor.tenantId, request.query.configId)
      return askConsent(request, reply, request.query.configId, { inWindow: false })
    },
  )
  app.post(
    '/google-calendar/auth/token',
    {
      config: {
        ...{ can: configs, summary: 'Concluir a autorização de uma agenda' },
        errors: ['ERR_OAUTH_STATE', 'ERR_OAUTH_REFUSED'],
      },
      schema: { body: consentReturn, response: { 200: consentOutcome } },
    },
    (request, reply) => answerConsent(request, reply, request.body),
  )
  app.get(
    '/google-calendar/events',
    {
      config: { can: 'funnel.read', summary: 'Listar os eventos das agendas em alguns dias' },
      schema: { querystring: calendarEventsQuery, response: { 200: events } },
    },
    async ({ actor, query }) => whole(await listEvents(actor, query)),
  )
  app.post(
    '/google-calendar-list/events',
    {
      config: { can: 'funnel.read', summary: 'Listar os eventos das agendas' },
      schema: { body: calendarEventsQuery, response: { 200: events } },
    },
    async ({ actor, body }) => whole(await listEvents(actor, body)),
  )
  app.post(
    '/google-calendar-create/events',
    {
      config: {
        ...{ can: 'funnel.write', summary: 'Criar um evento na agenda' },
        errors: ['ERR_NOT_AUTHORIZED_YET', 'ERR_AUTHORIZATION_LOST', 'ERR_INVALID_TRANSITION'],
      },
      schema: { body: calendarEventWrite, response: { 201: calendarEvent } },
    },
    async ({ actor, body }, reply) => reply.status(201).send(await createEvent(actor, body)),
  )
  app.put(
    '/google-calendar-update/events/:id',
    {
      config: {
        ...{ can: 'funnel.write', summary: 'Alterar um evento da agenda' },
        errors: ['ERR_AUTHORIZATION_LOST', 'ERR_INVALID_TRANSITION'],
      },
      schema: { params, body: calendarEventWrite, response: { 200: calendarEvent } },
    },
    ({ actor, params: { id }, body }) => updateEvent(actor, id, body),
  )
  app.delete(
    '/google-calendar-delete/events/:id',
    {
      config: {
        ...{ can: 'funnel.write', summary: 'Excluir um evento da agenda' },
        errors: ['ERR_AUTHORIZATION_LOST', 'ERR_INVALID_TRANSITION'],
      },
      schema: { params, response: { 204: z.void() } },
    },
    async ({ actor, params: { id } }, reply) => {
      await deleteEvent(actor, id)
      return reply.status(204).send()
    },
  )
}
