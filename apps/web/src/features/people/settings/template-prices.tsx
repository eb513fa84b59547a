import { priceText, templateCategoryLabels } from '@balcao/contract/channels/template-text.ts'
import type { TenantSettings } from '@balcao/contract/people/settings.ts'
import { NumberField } from '../../../ui/number-field.tsx'
import { writeSettings } from './api.ts'
import { SettingRow, SettingSection } from './setting-row.tsx'
import type { Save } from './use-auto-save.ts'
import { useDraft } from './use-draft.ts'

type Prices = TenantSettings['templatePrices']
type Props = { prices: Prices; problem?: string; save: Save }

const helps: Record<keyof Prices, string> = {
  MARKETING: 'Ofertas, novidades e convites.',
  UTILITY: 'Pedidos, lembretes e avisos sobre algo que o cliente já combinou.',
  AUTHENTICATION: 'Códigos de acesso.',
}
const categories = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const

/** What Meta charges for a template message, as the picker shows it before sending. */
export const TemplatePrices = ({ prices, problem, save }: Props) => {
  const [typed, setTyped] = useDraft<Prices>(prices, {
    isReady: (next) => categories.every((name) => next[name] >= 0 && next[name] <= 1_000_000),
    onSave: (next) =>
      save({
        at: 'templatePrices',
        done: 'Preços dos modelos salvos.',
        patch: { templatePrices: next },
        write: writeSettings,
      }),
    delayMs: 1_200,
  })
  return (
    <SettingSection
      title="Preço dos modelos do WhatsApp"
      note="Por mensagem entregue, segundo a tabela da Meta para o Brasil. Quem atende vê o preço antes de enviar um modelo."
    >
      {categories.map((name) => {
        const id = `price-${name}`
        return (
          <SettingRow
            key={name}
            id={id}
            label={templateCategoryLabels[name]}
            help={helps[name]}
            effect={`Aparece como ${priceText(typed[name])}.`}
            problem={name === 'MARKETING' ? problem : undefined}
          >
            <NumberField
              id={id}
              aria-describedby={`${id}-help`}
              w={130}
              prefix="R$ "
              decimalSeparator=","
              thousandSeparator="."
              decimalScale={4}
              min={0}
              max={100}
              step={0.01}
              value={typed[name] / 10_000}
              empty={0}
              onChange={(value) => setTyped({ ...typed, [name]: Math.round(value * 10_000) })}
            />
          </SettingRow>
        )
      })}
    </SettingSection>
  )
}
