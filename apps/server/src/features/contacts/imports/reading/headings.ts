import type { ContactImportMapping, ImportTarget } from '@balcao/contract/contacts/imports.ts'
import { importTargets } from '@balcao/contract/contacts/imports.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { isIdentity } from '@balcao/contract/identity.ts'

/** What people and programs write above their columns, without accents and signs. */
const words: Partial<Record<ImportTarget, string>> = {
  name: 'nome, nome completo, name, full name, display name, cliente, contato, nome do cliente, nome do contato, nome e sobrenome, lead, paciente, aluno',
  firstName: 'primeiro nome, first name, given name',
  lastName: 'sobrenome, ultimo nome, last name, family name',
  phone:
    'telefone, telefones, celular, whatsapp, whats, zap, fone, tel, phone, phones, mobile, mobile phone, phone number, phone value, numero de telefone, numero do telefone, numero do whatsapp, numero whatsapp, telefone celular, telefone fixo, telefone residencial, telefone comercial, telefone whatsapp, celular whatsapp, ddd telefone, ddd e telefone, home phone, business phone, work phone, outros telefones, other phone',
  email:
    'email, e mail, mail, email address, e mail address, e mail value, correio eletronico, endereco de email, endereco de e mail',
  businessName:
    'empresa, company, organizacao, organization, organization name, razao social, nome fantasia, nome da empresa',
  document: 'cpf, cnpj, cpf cnpj, cpf ou cnpj, cpf e cnpj, documento, doc, numero do cpf, numero do documento',
  birthdayDate:
    'aniversario, nascimento, data de nascimento, data nascimento, dt nascimento, data nasc, dt nasc, birthday, birthdate, birth date, data de aniversario',
  notes: 'observacoes, observacao, obs, notas, nota, notes, comentarios, comentario, anotacoes, descricao',
  tags: 'etiquetas, etiqueta, tags, tag, labels, marcadores, marcador, grupos, group membership',
  wallets:
    'responsavel, responsaveis, carteira, carteiras, vendedor, vendedora, atendente, consultor, consultora, dono',
  lane: 'etapa, etapa do quadro, etapa do funil, kanban, fase, estagio',
  'address.cep': 'cep, codigo postal, zip, zip code, postal code, address postal code',
  'address.street': 'rua, logradouro, endereco, street, address, avenida, address street',
  'address.number': 'numero do endereco, endereco numero, numero da casa, num endereco',
  'address.complement': 'complemento, address extended',
  'address.district': 'bairro, district, neighborhood',
  'address.city': 'cidade, municipio, city, localidade, address city',
  'address.state': 'estado, uf, state, estado uf, address region',
}
const targets = new Map<string, ImportTarget>(
  (Object.keys(importTargets) as (keyof typeof importTargets)[]).flatMap((target) =>
    (words[target] ?? '').split(', ').map((word): [string, ImportTarget] => [word, target]),
  ),
)

/** "Número (2)" is "numero 2": headings are the same when they read the same. */
export const plainHeading = (heading: string): string =>
  heading
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** What the headings of a file are remembered by. */
export const headingsKeyOf = (headings: string[]): string => cutText(headings.map(plainHeading).join('|'), 4_000)

const targetOf = (heading: string): ImportTarget | undefined => {
  const plain = plainHeading(heading)
  return targets.get(plain) ?? targets.get(plain.replace(/ ?\d+( |$)/g, '$1').trim())
}

type Field = { name: string; key: string }
/** What each column may be, by its heading; without headings, by what stands in it. Only phones come several times. */
export const suggestMapping = (
  { headings, columns, sample }: { headings: string[]; columns: number; sample: string[][] },
  fields: Field[],
): ContactImportMapping => {
  const taken = new Set<ImportTarget>()
  const once = (target: ImportTarget | undefined): ImportTarget | null => {
    if (!target || (target !== 'phone' && taken.has(target))) return null
    taken.add(target)
    return target
  }
  const own = (heading: string): ImportTarget | undefined => {
    const plain = plainHeading(heading)
    const field = fields.find(({ name, key }) => plainHeading(name) === plain || plainHeading(key) === plain)
    return field && `extra.${field.key}`
  }
  const all = Array.from({ length: columns }, (_, at) => headings[at] ?? '')
  const mapping = all.map((heading, at) =>
    once(
      headings.length
        ? (own(heading) ?? targetOf(heading))
        : contentOf(
            sample.map((cells) => cells[at] ?? ''),
            taken,
          ),
    ),
  )
  // "Número" alone is the phone's, unless there is one and the column stands in an address.
  return mapping.map((target, at) => {
    if (target || !/^(numero|num|n|no|nro)$/.test(plainHeading(all[at] ?? ''))) return target
    return once(taken.has('phone') ? (taken.has('address.street') ? 'address.number' : undefined) : 'phone')
  })
}

const contentOf = (cells: string[], taken: ReadonlySet<ImportTarget>): ImportTarget | undefined => {
  const filled = cells.filter(Boolean)
  const isMost = (test: (text: string) => boolean) => filled.filter(test).length > filled.length / 2
  if (isMost((text) => /^\S+@\S+\.\S+$/.test(text))) return 'email'
  if (isMost((text) => /[.-]/.test(text) && isIdentity(text))) return 'document'
  if (isMost(isPhoneLike)) return 'phone'
  if (isMost((text) => /^\d{1,2}\/\d{1,2}\/\d{4}$/.test(text))) return 'birthdayDate'
  return !taken.has('name') && isMost((text) => /^\p{L}[\p{L}\s.'-]+$/u.test(text)) ? 'name' : undefined
}
const isPhoneLike = (text: string) => /^[\d\s()+.-]+$/.test(text) && text.replace(/\D/g, '').length >= 8

/**
 * Which of the first rows says what the columns are: the one with the most words we know. Where there is none, the first,
 * if it says nothing a contact would have or whoever sent it says so; -1: there is no such row.
 */
export const headingRowOf = (top: { cells: string[] }[], isSure: boolean): number => {
  const known = top.map(({ cells }) => cells.filter((cell) => targetOf(cell)).length)
  const most = Math.max(0, ...known)
  if (most > 0) return known.indexOf(most)
  const [first] = top
  if (isSure || !first) return first ? 0 : -1
  const isPerson = first.cells.some((cell) => isPhoneLike(cell) || cell.includes('@') || /\d{3}/.test(cell))
  return isPerson || top.length === 1 ? -1 : 0
}
