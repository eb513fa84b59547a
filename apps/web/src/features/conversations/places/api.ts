import { type CepAddress, type Place, placeResource } from '@balcao/contract/conversations/places.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { allRows } from '../../../kit/resource-api.ts'

export const placesQuery = allRows<Place>(placeResource)

const dayMs = 24 * 60 * 60_000
export const cepQuery = (cep: string) =>
  queryOptions({
    queryKey: ['cep', cep],
    queryFn: ({ signal }) => api.get<CepAddress>(`/cep/${cep}`, { signal, quiet: true }),
    staleTime: dayMs,
    retry: false,
  })

/** The digits of a CEP, when that is all a text is. */
export const cepIn = (text: string): string | null => {
  const [, head, tail] = /^\s*(\d{5})-?(\d{3})\s*$/.exec(text) ?? []
  return head && tail ? head + tail : null
}

/** "01001-000"; what is no CEP stays as it is. */
export const showCep = (digits: string): string => digits.replace(/^(\d{5})(\d{3})$/, '$1-$2')

/** "Praça da Sé, 00 – Sé, São Paulo – SP": the number is the person's to write. */
export const addressOf = ({ cep, street, district, city, state }: CepAddress): string =>
  [street, [district, city].filter(Boolean).join(', '), state, `CEP ${cep}`].filter(Boolean).join(' – ')
