import { id, pageOf } from '@balcao/contract/common.ts'
import {
  autoReplyResource,
  autoReplyStep,
  autoReplyStepAction,
  autoReplyStepActionBody,
  autoReplyStepBody,
} from '@balcao/contract/service/auto-replies.ts'
import { z } from 'zod'
import type { Routes } from '../../../kit/http.ts'
import {
  createStep,
  createStepAction,
  listStepActions,
  listSteps,
  removeStep,
  removeStepAction,
  updateStep,
  updateStepAction,
} from './steps.ts'

const { write: can } = autoReplyResource.can
const ofReply = z.object({ id })
const ofStep = z.object({ id, stepId: id })
const inUse = ['ERR_AUTO_REPLY_RELATIONED_TICKET', 'ERR_IN_USE'] as const

/** The older form of automatic answers (domain §12): steps, and where each word leads. The same rows as `/auto-reply`. */
export const stepRoutes: Routes = (app) => {
  app.get(
    '/auto-reply/:id/steps',
    {
      config: { can, summary: 'Listar os passos de uma resposta automática' },
      schema: { params: ofReply, response: { 200: pageOf(autoReplyStep) } },
    },
    async ({ actor, params }) => ({ items: await listSteps(actor, params.id), hasMore: false, nextCursor: null }),
  )
  app.post(
    '/auto-reply/:id/steps',
    {
      config: { can, summary: 'Criar um passo de uma resposta automática' },
      schema: { params: ofReply, body: autoReplyStepBody, response: { 201: autoReplyStep } },
    },
    async ({ actor, params, body }, reply) => reply.status(201).send(await createStep(actor, params.id, body)),
  )
  app.put(
    '/auto-reply/:id/steps/:stepId',
    {
      config: { can, summary: 'Atualizar um passo de uma resposta automática' },
      schema: { params: ofStep, body: autoReplyStepBody.partial(), response: { 200: autoReplyStep } },
    },
    ({ actor, params, body }) => updateStep(actor, params.id, params.stepId, body),
  )
  app.delete(
    '/auto-reply/:id/steps/:stepId',
    {
      config: { can, summary: 'Excluir um passo de uma resposta automática', errors: [...inUse] },
      schema: { params: ofStep, response: { 204: z.void() } },
    },
    async ({ actor, params }, reply) => {
      await removeStep(actor, params.id, params.stepId)
      return reply.status(204).send()
    },
  )
  app.get(
    '/auto-reply-action',
    {
      config: { can, summary: 'Listar para onde levam as palavras de cada passo' },
      schema: { response: { 200: pageOf(autoReplyStepAction) } },
    },
    async ({ actor }) => ({ items: await listStepActions(actor), hasMore: false, nextCursor: null }),
  )
  app.post(
    '/auto-reply-action',
    {
      config: { can, summary: 'Criar a ação de um passo' },
      schema: { body: autoReplyStepActionBody, response: { 201: autoReplyStepAction } },
    },
    async ({ actor, body }, reply) => reply.status(201).send(await createStepAction(actor, body)),
  )
  app.put(
    '/auto-reply-action/:id',
    {
      config: { can, summary: 'Atualizar a ação de um passo' },
      schema: { params: ofReply, body: autoReplyStepActionBody, response: { 200: autoReplyStepAction } },
    },
    ({ actor, params, body }) => updateStepAction(actor, params.id, body),
  )
  app.delete(
    '/auto-reply-action/:id',
    {
      config: { can, summary: 'Excluir a ação de um passo', errors: [...inUse] },
      schema: { params: ofReply, response: { 204: z.void() } },
    },
    async ({ actor, params }, reply) => {
      await removeStepAction(actor, params.id)
      return reply.status(204).send()
    },
  )
}
