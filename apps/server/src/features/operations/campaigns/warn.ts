import { channels } from '@balcao/contract/channels/index.ts'
import type { CampaignRehearsal } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { hasOpenChoice, variantNames } from '@balcao/contract/operations/campaigns/content.ts'
import { campaignVariables } from '@balcao/contract/operations/campaigns/variables.ts'
import { isSameForAll, saysHowToStop, textWarnings } from '@balcao/contract/operations/campaigns/warnings.ts'
import type { TenantSettings } from '@balcao/contract/people/settings.ts'
import { variableLabel } from '@balcao/contract/variables.ts'
import type { StoredCampaign } from './campaigns.present.ts'
import type { CampaignConflict } from './conflicts.ts'
import type { WayRow } from './rehearse.ts'

type Warning = CampaignRehearsal['warnings'][number]
/** A variant that reaches nobody of so many, for want of these variables; of what follows the first send nobody knows how many. */
export type Unheard = { step: number; variant: number; count: number | null; missing: string[] }
type Seen = {
  row: StoredCampaign
  ways: readonly WayRow[]
  settings: TenantSettings
  found: number
  reached: number
  /** Of these, who never wrote to the company. */
  strangers: number
  unheard: readonly Unheard[]
  /** Without a price: their country has none. */
  unpriced: number
  /** As some of them will read. */
  texts: readonly string[]
  loads: readonly { way: WayRow; count: number; leftToday: number | null; restSeconds: number }[]
  conflicts: readonly CampaignConflict[]
  endsAbout: Date | null
}
const many = 100
/** What a number without an official account can bear, in seconds between two sends. */
const leastRest = 8
const newForDays = 14

/** What gets numbers banned, or will not do what one means, the most serious first. */
export const warningsOf = (seen: Seen): Warning[] => {
  const order: Warning['level'][] = ['blocks', 'danger', 'note']
  return [...reachWarnings(seen), ...wordWarnings(seen), ...paceWarnings(seen), ...timeWarnings(seen)].toSorted(
    (a, b) => order.indexOf(a.level) - order.indexOf(b.level),
  )
}

const danger = (text: string, path: string | null = null): Warning => ({ level: 'danger', text, path })
const note = (text: string, path: string | null = null): Warning => ({ level: 'note', text, path })
const amount = (count: number) => count.toLocaleString('pt-BR')
const isUnofficial = ({ kind }: WayRow) => {
  const { isUnofficial: is = false }: { isUnofficial?: boolean } = channels[kind]
  return is
}

const reachWarnings = ({ row, found, reached, strangers, unpriced, ways, conflicts, loads }: Seen): Warning[] => {
  const warnings: Warning[] = []
  const { include } = row.plan.audience
  if (include.length && ways.length && !reached)
    warnings.push({
      level: 'blocks',
      text: found
        ? 'Ninguém deste público pode receber. Veja por que cada um fica de fora.'
        : 'Não há ninguém neste público.',
      path: 'audience',
    })
  if (found >= 20 && reached && reached < found * 0.7)
    warnings.push(
      note(`${amount(found - reached)} de ${amount(found)} pessoas ficam de fora. Confira os motivos.`, 'audience'),
    )
  const unofficial = loads.filter(({ way }) => isUnofficial(way)).reduce((sum, { count }) => sum + count, 0)
  if (unofficial >= many && strangers > reached / 2)
    warnings.push(
      danger(
        `${amount(strangers)} pessoas nunca escreveram para vocês. Muitos contatos novos de uma vez fazem o WhatsApp banir o número.`,
        'audience',
      ),
    )
  if (unpriced > 0)
    warnings.push(
      note(
        unpriced === 1
          ? '1 destinatário de fora do Brasil não entra no custo: não há preço para ele.'
          : `${amount(unpriced)} destinatários de fora do Brasil não entram no custo: não há preço para eles.`,
      ),
    )
  for (const { name, sharesConnection, people } of conflicts)
    warnings.push(
      note(
        `${[
          `A campanha “${name}” acontece ao mesmo tempo`,
          ...(sharesConnection ? ['usa o mesmo canal: as duas vão mais devagar'] : []),
          ...(people ? [people === 1 ? '1 pessoa recebe as duas' : `${amount(people)} pessoas recebem as duas`] : []),
        ].join(', ')}.`,
        'startsAt',
      ),
    )
  for (const { way, count, leftToday } of loads) {
    if (leftToday !== null && count > leftToday)
      warnings.push(
        note(
          leftToday === 1
            ? `Por ${way.name} cabe hoje mais 1 envio: o resto continua nos próximos dias.`
            : `Por ${way.name} cabem hoje mais ${amount(leftToday)} envios: o resto continua nos próximos dias.`,
          'connectionIds',
        ),
      )
    if (way.status !== 'CONNECTED' && count)
      warnings.push(danger(`${way.name} não está conectado. Conecte-o antes de começar.`, 'connectionIds'))
    const quality = way.health?.quality
    if (count && (quality === 'RED' || quality === 'YELLOW'))
      warnings.push(
        danger(
          `A qualidade de ${way.name} está ${quality === 'RED' ? 'baixa' : 'média'} na Meta: mais reclamações podem bloquear o número.`,
          'connectionIds',
        ),
      )
  }
  return warnings
}

const wordWarnings = ({ row, ways, reached, unheard, texts, settings }: Seen): Warning[] => {
  const { steps, onMissing, fallbacks } = row.plan
  const warnings: Warning[] = []
  const written = steps.flatMap(({ variants }) =>
    variants.flatMap(({ content }) => content.parts.map(({ body }) => body)),
  )
  for (const text of new Set([...written, ...texts].flatMap(textWarnings))) warnings.push(danger(text, 'steps'))
  if (written.some(hasOpenChoice))
    warnings.push(
      danger('Falta uma chave em {Olá|Oi|Bom dia}: quem receber lê o texto com as chaves e as barras.', 'steps'),
    )
  const first = steps[0]?.variants.map(({ content }) => content) ?? []
  const unofficial = ways.some(isUnofficial)
  if (unofficial && reached >= many && isSameForAll(first))
    warnings.push(
      danger(
        'Todos receberão exatamente o mesmo texto. Use o nome da pessoa, {Oi|Olá} ou mais de uma variante: textos iguais em massa fazem o WhatsApp banir o número.',
        'steps',
      ),
    )
  const asksWords = ways.some(({ abilities }) => !abilities.supports.includes('mail'))
  if (row.purpose === 'marketing' && asksWords && texts.length && !saysHowToStop(texts, settings.stopWords)) {
    const word = settings.stopWords[0] ?? 'Sair'
    const how = `“Para não receber mais, responda ${word.toUpperCase()}”: quem não sabe sair, denuncia.`
    // The words of a template are not written here.
    const text = first.every(({ template }) => template)
      ? `O modelo não diz como parar de receber. Prefira um aprovado com algo como ${how}`
      : `O texto não diz como parar de receber. Termine com algo como ${how}`
    warnings.push(unofficial ? danger(text, 'steps') : note(text, 'steps'))
  }
  // Where nobody is reached at all, that has been said.
  for (const one of reached ? unheard : []) {
    const what = one.missing.map((name) => `“${variableLabel(name)}”`).join(', ')
    const named = [
      ...((steps[one.step]?.variants.length ?? 0) > 1 ? [`a variante ${variantNames[one.variant]}`] : []),
      ...(one.step ? [`o envio ${one.step + 1}`] : []),
    ].join(' d')
    const whom =
      one.count === null
        ? 'a todos que recebem o primeiro'
        : one.count === 1
          ? 'à única pessoa dela'
          : `às ${amount(one.count)} pessoas dela`
    warnings.push(
      danger(
        `Ninguém recebe ${named}: ${whom} falta ${what}. Mude o texto ou dê palavras para quem não tem este dado.`,
        'steps',
      ),
    )
  }
  const lacking = onMissing === 'fallback' ? campaignVariables(steps).filter((name) => !fallbacks[name]?.trim()) : []
  if (lacking.length)
    warnings.push(
      note(
        `Sem texto reserva para ${lacking.map((name) => `{{${name}}}`).join(', ')}: quem não tem este dado fica de fora.`,
        'fallbacks',
      ),
    )
  return warnings
}

const paceWarnings = ({ row, loads }: Seen): Warning[] => {
  const { pace } = row.plan
  return loads.flatMap(({ way, count, restSeconds }): Warning[] => {
    if (!isUnofficial(way) || count < many) return []
    const age = (Date.now() - way.createdAt.getTime()) / 86_400_000
    const isSteady = pace.minSeconds === pace.maxSeconds && !way.options.restVaries
    return [
      ...(restSeconds < leastRest
        ? [
            danger(
              `${way.name} enviaria a cada ${restSeconds.toLocaleString('pt-BR')} s, rápido demais para um número não oficial. Use de 15 a 40 segundos.`,
              'pace',
            ),
          ]
        : isSteady
          ? [note(`${way.name} enviaria sempre com o mesmo intervalo, o que parece robô. Deixe-o variar.`, 'pace')]
          : []),
      ...(age < newForDays && !way.options.warmUpFirst
        ? [
            danger(
              `${way.name} está aqui há menos de ${newForDays} dias e não tem aquecimento. Um número novo começa com poucas mensagens por dia.`,
              'connectionIds',
            ),
          ]
        : []),
    ]
  })
}

const timeWarnings = ({ row, endsAbout }: Seen): Warning[] => {
  const { window } = row.plan
  const warnings: Warning[] = []
  if (row.endsAt && (endsAbout === null || endsAbout > row.endsAt))
    warnings.push(
      danger('Neste ritmo não dá tempo de enviar a todos até o fim. O que sobrar não será enviado.', 'endsAt'),
    )
  if (window.from < '08:00' || window.until > '21:00' || window.until <= window.from)
    warnings.push(note('O horário inclui a noite. Mensagens fora de hora geram reclamações.', 'window'))
  if (window.days.includes(0)) warnings.push(note('O envio inclui domingos.', 'window'))
  return warnings
}
