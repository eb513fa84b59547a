import type { CepAddress } from '@balcao/contract/conversations/places.ts'
import { z } from 'zod'
import { env } from '../../../env.ts'
import { http } from '../../../kit/egress.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'

const known = new Map<string, { address: CepAddress | null; until: number }>()
const maxKnown = 10_000
/** Streets keep their CEP for years; a new one may be missing today and there tomorrow. */
const keptMs = { found: 24 * 60 * 60_000, missing: 60 * 60_000 }

/** The address of a CEP, from memory or the service. Throws ERR_CEP_NOT_FOUND or ERR_CEP_AWAY. */
export const findCep = async (cep: string): Promise<CepAddress> => {
  const kept = known.get(cep)
  const address = kept && kept.until > Date.now() ? kept.address : await askService(cep)
  if (!address) throw new AppError('ERR_CEP_NOT_FOUND')
  return address
}

const askService = async (cep: string): Promise<CepAddress | null> => {
  const answer = await ask(cep)
  const isMissing = answer.status === 404 || answer.status === 400
  const parsed = isMissing ? null : serviceAnswer.safeParse(answer.json())
  if (!isMissing && (answer.status !== 200 || !parsed?.success)) {
    log.warn({ status: answer.status }, 'the CEP service answered strangely')
    throw new AppError('ERR_CEP_AWAY')
  }
  const address = parsed?.data ? toAddress(cep, parsed.data) : null
  if (known.size >= maxKnown) known.clear()
  known.set(cep, { address, until: Date.now() + (address ? keptMs.found : keptMs.missing) })
  return address
}

const ask = async (cep: string) => {
  try {
    return await http(`${env.CEP_URL.replace(/\/$/, '')}/${cep}`, { timeoutMs: 6_000, maxBytes: 50_000 })
  } catch (error) {
    log.warn({ err: error }, 'the CEP service did not answer')
    throw new AppError('ERR_CEP_AWAY')
  }
}

const text = z.string().nullish()
const number = z.coerce.number().optional().catch(undefined)
const serviceAnswer = z.object({
  street: text,
  neighborhood: text,
  city: z.string(),
  state: z.string(),
  location: z
    .object({ coordinates: z.object({ latitude: number, longitude: number }).optional() })
    .nullish()
    .catch(null),
})

const toAddress = (
  cep: string,
  { street, neighborhood, city, state, location }: z.output<typeof serviceAnswer>,
): CepAddress => {
  const { latitude, longitude } = location?.coordinates ?? {}
  const isPoint =
    latitude !== undefined && longitude !== undefined && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  return {
    cep: `${cep.slice(0, 5)}-${cep.slice(5)}`,
    street: street ?? '',
    district: neighborhood ?? '',
    city,
    state,
    latitude: isPoint ? latitude : null,
    longitude: isPoint ? longitude : null,
  }
}
