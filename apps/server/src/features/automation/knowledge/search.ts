import type { Passage } from '@balcao/contract/automation/assistants/assistants.ts'
import { plainWords } from '@balcao/contract/core/plain-words.ts'
import { type Prepared, readTenant } from '../../../db/database.ts'
import type { Ask } from '../../../db/one-trip.ts'
import type { AssistantBudget } from '../../core/limits/reserve-spending.ts'
import { type Embedder, embeddersOf, searchByMeaning } from './by-meaning.ts'

const mostPassages = 6
/** Beneath it a passage is no answer: it knows less of what is asked than it does not. */
const least = 0.45

/**
 * Passages of these bases that speak of a question, best first: words by their Portuguese stems, and letters for names and
 * slips of the finger. Each passage is weighed by how much of the question it has in it, rare words above common ones, so a
 * question about something else finds nothing. What is asked in the middle of a story, or one question after the other, is
 * looked for by itself too. Bases with an account for it are searched by meaning as well; where that account does not
 * answer, words have to do. No transaction may be open.
 */
export const searchKnowledge = async ({ tenantId, baseIds, question, ...asking }: Searched): Promise<Passage[]> => {
  if (!baseIds.length) return []
  const asked = [question, ...askedIn(question)]
  const asks = asked.flatMap((text): Ask[] => {
    const words = wordsOf(text)
    return words.length ? [[byWords, [tenantId, baseIds, words, least, mostPassages, around]]] : []
  })
  const { read = readTenant, ...more } = asking
  const [embedders = [], ...found] = await read(tenantId, [embeddersOf, [tenantId, baseIds]], ...asks)
  const known = merged(found.flat() as Passage[])
  const meant = await Promise.all(
    (embedders as Embedder[]).map((one) =>
      searchByMeaning(one, { ...more, read, tenantId, asked, isKnown: known.length > 0 }),
    ),
  )
  return merged([...known, ...meant.flat()]).slice(0, mostPassages)
}
export type Searched = {
  tenantId: number
  baseIds: readonly string[]
  question: string
  /** Whose budget it is. */
  assistant?: AssistantBudget
  ticketId?: string
  /** Of this search: made again under it, it is paid once. */
  key?: string | undefined
  /** How the database is asked; as often as anybody likes unless told. */
  read?: typeof readTenant
}

/** Each passage once, by the best it was found with. */
const merged = (passages: readonly Passage[]): Passage[] => {
  const found = new Map<string, Passage>()
  for (const passage of passages) {
    const known = found.get(passage.chunkId)
    if (!known || known.score < passage.score) found.set(passage.chunkId, passage)
  }
  return [...found.values()].sort((a, b) => b.score - a.score)
}

/** The last questions of a message that has more in it. */
const askedIn = (text: string): string[] => {
  const ended = text.split('?').slice(0, -1)
  const asked = ended.flatMap((part) => part.split(/[.,;:!\n]/).at(-1) || []).map((one) => `${one}?`)
  return asked.filter((one) => one.length < text.trim().length).slice(-mostAsked)
}
const mostAsked = 4

const wordsOf = (question: string) =>
  [...new Set(plainWords(question).split(' '))].filter((one) => one.length > 2 && !idle.has(one)).slice(0, 40)

/** Words of any question. */
const idle = new Set(
  (
    'que qual quais quanto quanta quantos quantas quando onde como quem por para pra com sem dos das nos nas num numa uma uns umas ' +
    'voces voce meu minha seu sua esse essa isso este esta isto tem ter sao ser foi era pode posso fazer faz fazem quero queria ' +
    'gostaria saber preciso favor obrigado obrigada bom boa dia tarde noite ola oi tudo bem mais muito aqui ali the what which when ' +
    'where how can you your have does pode poderia consigo existe existem vocês tambem ainda ja nao sim sobre'
  ).split(' '),
)

/** Words around what is asked: where no passage has them they say next to nothing. */
const around = (
  'tempo demora demorar leva levar custa custam custo preco valor valores dia dias hora horas hoje amanha ontem semana mes agora depois ' +
  'veio chegou comprei recebo receber recebi vejo ver manda mandam mandar dar mudar tenho temos funciona funcionam minha meus suas ' +
  'parcela parcelas parcelar parcelam parcelado parcelamento dividir divide ' +
  'produto produtos item itens alguma algum coisa gente aqui pessoal moco moca amigo'
).split(' ')

const byWords: Prepared = {
  name: 'knowledge_search',
  text: `with asked as (
      select w as word, w = any($6::text[]) as is_around, nullif(plainto_tsquery('portuguese', w)::text, '')::tsquery as stem from unnest($3::text[]) as w
    ), marked as (
      select c.id, a.word, a.is_around, case
          when a.stem is not null and c.words @@ a.stem then 1.0
          when length(a.word) > 4 and word_similarity(a.word, c.folded) > 0.6 then 0.8
          else 0 end::float8 as hit
      from knowledge_chunks c cross join asked a where c.tenant_id = $1 and c.base_id = any($2::uuid[])
    ), rare as (
      -- What no passage has is what a question about something else is about: it counts for the most.
      select word, (ln(1 + count(*)::float8 / (1 + count(*) filter (where hit > 0))) + 0.2)
        * case when bool_or(hit > 0) or not bool_or(is_around) then 1 else 0.15 end as weight from marked group by word
    ), scored as (
      select m.id, sum(m.hit * r.weight) / (select sum(weight) from rare) as score
      from marked m join rare r using (word) group by m.id
    )
    select s.id as "chunkId", k.name as source, c.heading, c.body, s.score
    from scored s join knowledge_chunks c on c.tenant_id = $1 and c.id = s.id
      join knowledge_sources k on k.tenant_id = $1 and k.id = c.source_id
    where s.score >= $4 order by s.score desc, s.id limit $5`,
}
