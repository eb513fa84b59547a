import { type AiSpending, budgetWarningAt } from '@balcao/contract/automation/models.ts'
import { Progress, Text } from '@mantine/core'
import { formatNumber } from '../../../kit/format.ts'
import { MoneyInput } from '../../../ui/money-input.tsx'
import { writeSettings } from '../../people/settings/api.ts'
import { SettingRow, SettingSection } from '../../people/settings/setting-row.tsx'
import type { Save } from '../../people/settings/use-auto-save.ts'
import { useDraft } from '../../people/settings/use-draft.ts'
import { moneyOf } from './money.ts'

type Props = { budgetCents: number | null; month: AiSpending['month'] | undefined; problem?: string; save: Save }

/** How much models may cost in a month, and what of it is used. */
export const BudgetSetting = ({ budgetCents, month, problem, save }: Props) => {
  const [typed, setTyped] = useDraft<number | null>(budgetCents, {
    isReady: (next) => next === null || next >= 0,
    onSave: (next) =>
      save({
        at: 'aiBudgetCents',
        done: next === null ? 'Sem limite de gasto.' : 'Orçamento salvo.',
        patch: { aiBudgetCents: next },
        write: writeSettings,
      }),
    delayMs: 1_200,
  })
  const used = month?.costMicros ?? 0
  const share = typed ? used / (typed * 10_000) : 0
  const color = share >= 1 ? 'red' : share >= budgetWarningAt ? 'yellow' : 'accent'
  return (
    <SettingSection
      title="Orçamento do mês"
      note="Vale para tudo: assistentes, copiloto e transcrição. Quando acaba, os assistentes passam as conversas para a equipe e o copiloto para até o dia 1º."
    >
      <SettingRow
        id="setting-aiBudgetCents"
        label="Limite mensal"
        help="Em reais, pelos preços informados em cada provedor. Vazio: sem limite. Quem cuida das integrações é avisado em 80 %."
        effect={effectOf(typed, used, share)}
        problem={problem}
      >
        <MoneyInput
          id="setting-aiBudgetCents"
          aria-describedby="setting-aiBudgetCents-help"
          w={150}
          placeholder="Sem limite"
          max={1_000_000}
          value={typed === null ? '' : typed / 100}
          // While a zero stands at its end it is text.
          onChange={(value) => setTyped(value === '' ? null : Math.round(Number(value) * 100))}
        />
      </SettingRow>
      {typed !== null && typed > 0 && (
        <div style={{ padding: '0 16px 16px' }}>
          <Progress
            value={Math.min(100, share * 100)}
            color={color}
            aria-label="Quanto do orçamento do mês foi usado"
          />
          {share >= 1 && (
            <Text size="sm" mt="xs" role="alert" c="var(--mantine-color-error)">
              O orçamento deste mês acabou. Aumente o limite para voltar a usar.
            </Text>
          )}
        </div>
      )}
    </SettingSection>
  )
}

const effectOf = (cents: number | null, used: number, share: number) => {
  const told = `Usados neste mês: ${moneyOf(used)}`
  if (cents === null) return `${told}, sem limite.`
  if (cents === 0) return 'Nada é gasto: os modelos estão parados.'
  return `${told}, ${formatNumber(Math.round(share * 100))} % do limite.`
}
