import { z } from 'zod'
import { resource, rowMeta } from '../resource.ts'

const name = z.string().trim().min(1, 'Informe o nome.').max(60, 'Use no máximo 60 caracteres.')
const address = z.string().trim().min(1, 'Informe o endereço.').max(500, 'Use no máximo 500 caracteres.')
const latitude = z.number().min(-90, 'De -90 a 90.').max(90, 'De -90 a 90.').nullable().default(null)
const longitude = z.number().min(-180, 'De -180 a 180.').max(180, 'De -180 a 180.').nullable().default(null)

const placeWrite = z.object({ name, address, latitude, longitude })
/** A place of the company that is sent again and again: a store, a counter. Without its point it goes as words. */
export const place = rowMeta.extend(placeWrite.shape)
export type Place = z.output<typeof place>

export const placeResource = resource({
  path: '/places',
  event: 'place',
  label: { one: 'Loja', many: 'Lojas', feminine: true },
  row: place,
  write: placeWrite,
  fields: { name: 'Nome', address: 'Endereço', latitude: 'Latitude', longitude: 'Longitude' },
  sort: ['name', 'createdAt', 'updatedAt'],
  can: { read: 'places.read', write: 'places.write' },
})

/** Eight digits, with or without the hyphen. */
export const cep = z
  .string()
  .regex(/^\d{5}-?\d{3}$/, 'Um CEP tem 8 números.')
  .transform((text) => text.replace('-', ''))

/** What the postal service knows of a CEP; the point only where somebody has measured it. */
export const cepAddress = z.object({
  cep: z.string(),
  street: z.string(),
  district: z.string(),
  city: z.string(),
  state: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
})
export type CepAddress = z.output<typeof cepAddress>
