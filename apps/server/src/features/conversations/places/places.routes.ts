import { cep, cepAddress, placeResource } from '@balcao/contract/conversations/places.ts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { places } from '../../../db/schema/conversations/lists.ts'
import { crud } from '../../../kit/crud.ts'
import type { Routes } from '../../../kit/http.ts'
import { findCep } from './cep.ts'

const savedPlaces = crud(placeResource, {
  table: places,
  search: [places.name, places.address],
})

export const placeRoutes: Routes = (app) => {
  savedPlaces(app)
  app.get(
    '/cep/:cep',
    {
      config: {
        can: 'places.read',
        summary: 'Buscar o endereço de um CEP',
        errors: ['ERR_CEP_NOT_FOUND', 'ERR_CEP_AWAY', 'ERR_TOO_MANY'],
        rateLimit: { max: 60, timeWindow: '1 minute', keyGenerator: (request: FastifyRequest) => request.actor.userId },
      },
      schema: { params: z.object({ cep }), response: { 200: cepAddress } },
    },
    ({ params }) => findCep(params.cep),
  )
}
