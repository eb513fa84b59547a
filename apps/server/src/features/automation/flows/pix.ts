import type { NodeData } from '@balcao/contract/automation/flows/graph.ts'
import { isIdentity, plainIdentity } from '@balcao/contract/identity.ts'
import { z } from 'zod'
import { parsePhone } from '../../contacts/contacts/phone.ts'

/** The code of a static Pix charge, to copy and paste (BR Code, EMV tags); without an amount the payer says how much. */
export const pixCode = ({ key, name, city, description }: NodeData<'pix'>, amount: number | null): string => {
  const field = (id: string, value: string) => `${id}${String(value.length).padStart(2, '0')}${value}`
  const named = pixKey(key) ?? key.trim()
  const told = plain(description).slice(0, Math.max(0, mostAccount - named.length))
  const account = field('00', 'br.gov.bcb.pix') + field('01', named) + (told ? field('02', told) : '')
  const code = [
    field('00', '01'),
    field('26', account),
    field('52', '0000'),
    field('53', '986'),
    amount === null || amount <= 0 ? '' : field('54', amount.toFixed(2)),
    field('58', 'BR'),
    field('59', plain(name).slice(0, 25)),
    field('60', plain(city).slice(0, 15)),
    field('62', field('05', '***')),
    '6304',
  ].join('')
  return `${code}${checksum(code)}`
}

/** Key and description: of the 99 places of the account, what its heads and the name of the scheme leave. */
const mostAccount = 73

/** A key as banks know it, however it was written: CPF, CNPJ, phone, e-mail or a random one; undefined: none of them. */
export const pixKey = (typed: string): string | undefined => {
  const key = typed.trim()
  if (key.length <= 77 && z.email().safeParse(key).success) return key.toLowerCase()
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(key)) return key.toLowerCase()
  if (isIdentity(key) && !/^[+(]/.test(key)) return plainIdentity(key)
  const phone = parsePhone(key)
  return phone && `+${phone}`
}

/** Without accents: banks count bytes. */
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .trim()

/** CRC-16/CCITT-FALSE. */
const checksum = (text: string): string => {
  let crc = 0xffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  }
  return (crc & 0xffff).toString(16).toUpperCase().padStart(4, '0')
}
